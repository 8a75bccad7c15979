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

    init(server: ServerState) { self.server = server }

    /// Starts the thread. Must be called once, and `stop()` once after it.
    func start() throws(ServerError) {
        let configuration = server.configuration
        var flags =
            MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
            | MHD_USE_NO_LISTEN_SOCKET.rawValue
        if configuration.tls != nil { flags |= MHD_USE_TLS.rawValue }
        let closure = Unmanaged.passUnretained(self).toOpaque()
        var options = [
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
            if configuration.tls != nil { throw .tls("certificate, key or priorities were refused") }
            throw .eventLoop("errno \(errno)")
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
