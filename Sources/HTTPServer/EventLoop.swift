import CMicrohttpd
import Glibc
import Synchronization

/// One libmicrohttpd daemon: a thread with its own epoll set, given connections by the acceptor.
///
/// It has no listening socket: `MHD_quiesce_daemon` and the daemon's thread may both take the listening socket out of the epoll
/// set, and whoever comes second calls `abort`. With a socket of our own, stopping is ours too.
///
/// `connections` is owned by its lock; `daemon` is set before any other thread sees the loop.
final class EventLoop: @unchecked Sendable {
    let server: ServerState
    private var daemon: OpaquePointer?
    private let connections = Mutex<[Connection]>([])
    /// Set once, before the first connection.
    var watchdog: Watchdog?
    /// The exchange whose request line came last; the loop's thread only.
    var latest: Exchange?
    /// Where the library's messages go; as long-lived as the loop, as the daemon demands.
    private let log = UnsafeMutablePointer<assent_mhd_log>.allocate(capacity: 1)
    /// The library's last words, for the case that the daemon does not start.
    private let lastMessage = Mutex("")

    init(server: ServerState) { self.server = server }

    deinit { log.deallocate() }

    /// Starts the thread. Must be called once, and `stop()` once after it.
    func start() throws(ServerError) {
        let configuration = server.configuration
        var flags =
            MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
            | MHD_USE_NO_LISTEN_SOCKET.rawValue
        flags |= MHD_USE_ERROR_LOG.rawValue
        if configuration.tls != nil { flags |= MHD_USE_TLS.rawValue }
        let closure = Unmanaged.passUnretained(self).toOpaque()
        log.initialize(to: assent_mhd_log(report: EventLoop.onMessage, context: closure))
        var options = [
            assent_mhd_log_option(log),
            option(MHD_OPTION.CONNECTION_MEMORY_LIMIT, configuration.connectionMemory),
            // The acceptor keeps the limit; this only has to be out of its way.
            option(MHD_OPTION.CONNECTION_LIMIT, Int(Int32.max)),
            option(MHD_OPTION.URI_LOG_CALLBACK, unsafeBitCast(EventLoop.onTarget, to: Int.self), closure),
            option(MHD_OPTION.NOTIFY_COMPLETED, unsafeBitCast(EventLoop.onCompleted, to: Int.self), closure),
            option(MHD_OPTION.NOTIFY_CONNECTION, unsafeBitCast(EventLoop.onConnection, to: Int.self), closure),
        ]
        let texts = configuration.tls.map { [$0.key, $0.certificate, $0.priorities] } ?? []
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        for (kind, copy) in zip(
            [MHD_OPTION.HTTPS_MEM_KEY, MHD_OPTION.HTTPS_MEM_CERT, MHD_OPTION.HTTPS_PRIORITIES], copies)
        {
            options.append(option(kind, 0, copy))
        }
        options.append(option(MHD_OPTION.END, 0))
        daemon = assent_mhd_start(flags, EventLoop.onRequest, closure, &options)
        guard daemon != nil else {
            let detail = lastMessage.withLock { $0 }
            if configuration.tls != nil { throw .tls(detail) }
            throw .eventLoop(detail)
        }
    }

    /// The library has something to say. Of a `Content-Length` it cannot read it sends two refusals, the second of which a proxy
    /// could take for the answer to another request; so it is refused here. The exchange is the latest if that one's head has
    /// just become complete and was not handed over: only the head now being judged is in that state.
    func hear(_ message: UnsafePointer<CChar>) {
        if strstr(message, "`Content-Length'") != nil || strstr(message, "'Content-Length'") != nil {
            guard let latest, !latest.headSeen, assent_mhd_head_size(latest.handle) > 0 else { return }
            latest.refuseUnreadable(.badHeader(name: "Content-Length", detail: "the length is not a decimal number"))
        } else if daemon == nil {
            var text = String(cString: message)
            while text.utf8.last == UInt8(ascii: "\n") { text.removeLast() }
            lastMessage.withLock { $0 = text }
        }
    }

    /// Takes over a connected socket; closes it in any case. False if it could not be taken.
    func add(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Bool {
        MHD_add_connection(daemon, descriptor, address, length) == .YES
    }

    /// Stops the thread and closes what is left. No connection may be suspended: the library aborts the process otherwise.
    func stop() {
        MHD_stop_daemon(daemon)
        daemon = nil
    }

    /// The connections at this moment.
    var all: [Connection] { connections.withLock { $0 } }

    func enter(_ connection: Connection) {
        connections.withLock {
            connection.slot = $0.count
            $0.append(connection)
        }
    }

    func leave(_ connection: Connection) {
        connections.withLock { list in
            let slot = connection.slot
            guard slot < list.count, list[slot] === connection, let last = list.popLast() else { return }
            if last !== connection {
                list[slot] = last
                last.slot = slot
            }
        }
        if let socket = connection.close() { watchdog?.linger(socket) }
        server.counters.connections.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }

    private func option(_ kind: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil) -> MHD_OptionItem {
        MHD_OptionItem(option: kind, value: value, ptr_value: pointer)
    }
}
