import CMicrohttpd
import Glibc
import Synchronization

/// One libmicrohttpd daemon and the thread that runs it, given connections by the acceptor. `connections`, `incoming`,
/// `woken` and `jobs` are owned by their locks; `isBeforeSockets` is the loop's thread's own; the rest is set before another
/// thread can have anything of the loop's; hence `@unchecked Sendable`.
///
/// The daemon has neither thread nor listening socket of its own, since in 0.9.75 both can hang or kill the process: its
/// thread waits without limit inside `MHD_epoll` after exactly 128 events, with all of them unserved; and `MHD_quiesce_daemon`
/// races with the thread for taking the listening socket out of the epoll set, where whoever comes second calls `abort`. Run
/// from a thread of ours it is only ever asked not to wait, and the waiting is a `poll` on its epoll descriptor.
final class EventLoop: @unchecked Sendable {
    /// A connected socket on its way to the loop's thread.
    struct Incoming {
        let descriptor: Int32
        var address: sockaddr_storage
        let length: socklen_t
    }

    let server: ServerState
    private let watchdog: Watchdog
    private var daemon: OpaquePointer?
    private let log = MessageLog()
    let doorbell: Doorbell
    let jobs = Mutex(Jobs())
    private let connections = Mutex<[Connection]>([])
    private let incoming = Mutex<[Incoming]>([])
    private let woken = Mutex<[StreamReader]>([])
    private let stopping = Atomic<Bool>(false)
    /// Set before the first turn, and so before anybody can have a connection to resume.
    private var thread: pthread_t?
    /// The turn has not come to the sockets yet.
    private var isBeforeSockets = false

    init(server: ServerState, watchdog: Watchdog) throws(ServerError) {
        guard let doorbell = Doorbell() else { throw .eventLoop("errno \(errno)") }
        self.server = server
        self.watchdog = watchdog
        self.doorbell = doorbell
        daemon = DaemonOptions(server.configuration, log: log).start(for: self)
        guard daemon != nil else {
            throw server.configuration.tls == nil ? .eventLoop(log.last) : .tls(log.last)
        }
        log.loop = self
    }

    /// The thread's whole life.
    func run() {
        thread = pthread_self()
        let turns = server.configuration.turns()
        while !stopping.load(ordering: .sequentiallyConsistent) {
            turns.run(turn)
            var timeout: UInt64 = 0
            if MHD_get_timeout(daemon, &timeout) == .YES, timeout == 0 { continue }
            doorbell.wait(beside: assent_mhd_epoll(daemon), turns.descriptor, milliseconds: turns.patience)
        }
        turns.end()
        MHD_stop_daemon(daemon)
        log.loop = nil
        passOnJobs()
    }

    /// Hands a connected socket over.
    func take(_ socket: Incoming) {
        incoming.withLock { $0.append(socket) }
        doorbell.ring()
    }

    /// Resumes a connection of this loop; any thread. What the loop's own turn resumes before it comes to the sockets is seen there.
    func resume(_ handle: OpaquePointer) {
        MHD_resume_connection(handle)
        if let thread, pthread_equal(thread, pthread_self()) != 0, isBeforeSockets { return }
        doorbell.ring()
    }

    /// Resumes a stream's connection in the loop's next round; any thread. A burst to many streams rings once.
    func wake(_ reader: StreamReader) {
        let isFirst = woken.withLock { list in
            list.append(reader)
            return list.count == 1
        }
        if isFirst { doorbell.ring() }
    }

    /// Ends the thread and closes what is left. No connection may be suspended: the library aborts the process otherwise.
    func stop() {
        stopping.store(true, ordering: .sequentiallyConsistent)
        doorbell.ring()
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
        if let socket = connection.close() { watchdog.linger(socket) }
        server.counters.connections.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }

    /// The library has something to say. Of a `Content-Length` it cannot read it sends two refusals, the second of which a proxy
    /// could take for the answer to another request; so it is refused here. The exchange is the one whose head has just become
    /// complete and was not handed over: only the head now being judged is in that state. It need not be the latest, for a head
    /// may come in pieces with other requests between them.
    func hear(_ message: UnsafePointer<CChar>) {
        guard strstr(message, "`Content-Length'") != nil || strstr(message, "'Content-Length'") != nil else { return }
        let judged = all.lazy.compactMap(\.exchange).first { !$0.headSeen && assent_mhd_head_size($0.handle) > 0 }
        judged?.refuseUnreadable(.badHeader(name: "Content-Length", detail: "the length is not a decimal number"))
    }

    /// One look at everything there is.
    private func turn() {
        isBeforeSockets = true
        doorbell.answer()
        for socket in incoming.withLock({ list in list.isEmpty ? [] : exchange(&list, with: []) }) { add(socket) }
        runJobs()
        for reader in woken.withLock({ list in list.isEmpty ? [] : exchange(&list, with: []) }) { reader.resume() }
        isBeforeSockets = false
        MHD_run_wait(daemon, 0)
    }

    private func add(_ socket: Incoming) {
        var address = socket.address
        let taken = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                MHD_add_connection(daemon, socket.descriptor, $0, socket.length)
            }
        }
        // The library has closed it then.
        if taken != .YES { server.counters.connections.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
    }
}
