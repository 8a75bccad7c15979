import Glibc

/// Keeps a server process running on a data folder, on a thread of its own that starts it and waits for its end.
///
/// The thread lives as long as the server: the kernel stops a server whose starting thread is gone. The mutex owns the
/// state; any thread may call it.
final class ClusterSupervisor: @unchecked Sendable {  // sound: `child` and the flags are used under `monitor`
    private let command: [String]
    private let processes: ClusterProcesses
    private let lock: FolderLock
    private let log: ClusterLog
    private let observe: @Sendable (EmbeddedCluster.Observation) -> Void
    private let interrupt = Interrupt()
    private let threads = ThreadCount()
    private let monitor = Monitor()
    private var child: ChildProcess?
    private var ends = 0

    init(
        _ command: [String], _ processes: ClusterProcesses, _ lock: FolderLock, _ log: ClusterLog,
        _ observe: @escaping @Sendable (EmbeddedCluster.Observation) -> Void
    ) {
        self.command = command
        self.processes = processes
        self.lock = lock
        self.log = log
        self.observe = observe
    }

    var processIdentifier: pid_t? { monitor.locked { child }?.processIdentifier }

    /// How often a server has ended by itself.
    var endCount: Int { monitor.locked { ends } }

    func start() throws(EmbeddedError) {
        guard threads.start("postgres-watch", { [self] in supervise() }) else {
            throw .folder(log.path, "no thread to watch the server")
        }
    }

    /// Asks for a fast shutdown, insists when it takes too long, and returns when the server is gone.
    func stop() {
        interrupt.fire()
        for (signal, patience) in [(SIGINT, 30), (SIGQUIT, 5), (SIGKILL, 5)] {
            monitor.locked { child }?.signal(signal)
            if threads.waitForEnd(until: .now + .seconds(patience)) { return }
        }
    }

    private func supervise() {
        // Held for as long as a server may run, whatever became of those who asked for it.
        defer { lock.release() }
        var backoff = Backoff(first: .milliseconds(100), limit: .seconds(5))
        while !interrupt.isFired {
            let started = MonotonicTime.now
            if processes.settle(interrupt), let status = runServer() {
                if interrupt.isFired { return }
                monitor.locked { ends += 1 }
                observe(.ended(status: status))
            } else {
                if interrupt.isFired { return }
                observe(.cannotStart)
            }
            // One that ran for a while is started again at once.
            if MonotonicTime.now.since(started) > .seconds(5) {
                backoff.reset()
            } else {
                interrupt.sleep(for: backoff.next())
            }
        }
    }

    /// Runs one server to its end; nil when it cannot be started.
    private func runServer() -> Int32? {
        guard let server = ChildProcess(command, output: log.descriptor) else { return nil }
        monitor.locked { child = server }
        // A stop that came between the check and the start saw no child to signal.
        if interrupt.isFired { server.signal(SIGINT) }
        if let process = server.processIdentifier { observe(.started(process: process)) }
        let status = server.wait()
        monitor.locked { child = nil }
        return status
    }
}
