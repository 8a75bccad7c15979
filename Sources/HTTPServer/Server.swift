import Glibc
import Synchronization

/// An HTTP/1.1 server: listens, reads requests whole, has them answered, and stops without losing one. Its lock owns how far
/// it has come; everything else is immutable or owned by the parts.
///
/// Every answer goes through the responder, but for what libmicrohttpd 0.9.75 refuses while it still reads: a request line it
/// cannot take apart (400), another major version (505), a header line without a colon (400), a chunk it cannot read (400 or
/// 413), and a head that does not fit into the connection's memory (414 or 431, at about 30 KiB). These are HTML without a
/// content type, close the connection, are recorded as refused, and are counted as `library_refusal`.
package final class Server: Sendable {
    private enum Life {
        case new
        case running(Parts)
        /// Stopping, and who else waits for it.
        case stopping([CheckedContinuation<Void, Never>])
        case stopped
    }

    /// The parts of a running server.
    struct Parts {
        let loops: [EventLoop]
        let loopThreads: [ServiceThread]
        let acceptor: Acceptor
        let acceptorThread: ServiceThread
        let watchdog: Watchdog
        let watchdogThread: ServiceThread
    }

    /// The open-files limit after it was raised.
    package let openFiles: OpenFiles
    /// Connections held at once; one more is answered with `Fault.overloaded`.
    package let connectionLimit: Int
    let state: ServerState
    private let life = Mutex<Life>(.new)

    /// Checks the settings and raises the limit on open files; listens to nothing yet.
    package init(configuration: ServerConfiguration, responder: any Responder) throws(ServerError) {
        openFiles = OpenFiles.raised()
        let room = openFiles.soft - configuration.reservedFiles
        connectionLimit = min(configuration.connectionLimit ?? room, room)
        guard connectionLimit >= 1 else {
            throw .configuration("\(openFiles.soft) open files leave no room beside \(configuration.reservedFiles)")
        }
        guard configuration.threads >= 1 else { throw .configuration("at least one thread is needed") }
        guard configuration.headLimit <= 32 * 1024, configuration.connectionMemory >= 2 * configuration.headLimit else {
            throw .configuration("the head's limit must be at most 32 KiB and half of the connection's memory")
        }
        state = ServerState(configuration: configuration, responder: responder)
    }

    /// Begins to listen and to serve; returns the port.
    package func start() throws(ServerError) -> UInt16 {
        signal(SIGPIPE, SIG_IGN)
        let started: Result<UInt16, ServerError> = life.withLock { life in
            guard case .new = life else { return .failure(.startedBefore) }
            do throws(ServerError) {
                let (parts, port) = try startParts()
                life = .running(parts)
                return .success(port)
            } catch {
                return .failure(error)
            }
        }
        return try started.get()
    }

    /// Stops in the order that loses nothing: no new connections; requests under way are answered, each closing its connection;
    /// after `grace` what is still unanswered gets `Fault.draining`; then the loops end. A second call waits for the first.
    package func stop(grace: Duration) async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let next: Stop = life.withLock { life in
                switch life {
                case .new:
                    life = .stopped
                    return .nothing
                case .running(let parts):
                    life = .stopping([done])
                    return .run(parts)
                case .stopping(let others):
                    life = .stopping(others + [done])
                    return .wait
                case .stopped: return .nothing
                }
            }
            switch next {
            case .nothing: done.resume()
            case .wait: break
            case .run(let parts):
                // Stopping joins threads, which must not hold up the cooperative pool.
                let run: @Sendable () -> Void = { [self] in
                    Shutdown(state: state, parts: parts).run(grace: grace.microseconds)
                    finish()
                }
                guard let thread = ServiceThread("http-stop", run) else { return run() }
                thread.detach()
            }
        }
    }

    /// What one call of `stop` has to do.
    private enum Stop {
        case nothing
        case wait
        case run(Parts)
    }

    /// The counters now.
    package var statistics: ServerStatistics { ServerStatistics(state.counters) }

    private func finish() {
        let waiting: [CheckedContinuation<Void, Never>] = life.withLock { life in
            defer { life = .stopped }
            if case .stopping(let waiting) = life { return waiting }
            return []
        }
        for continuation in waiting { continuation.resume() }
    }

    private func startParts() throws(ServerError) -> (Parts, UInt16) {
        let configuration = state.configuration
        let listening = try ListeningSocket(
            address: configuration.address, port: configuration.port, backlog: configuration.backlog)
        // What was started so far, undone in reverse if the rest fails.
        var undo: [() -> Void] = [{ close(listening.descriptor) }]
        do throws(ServerError) {
            guard let watchdog = Watchdog(server: state) else { throw .eventLoop("errno \(errno)") }
            let watchdogThread = try thread("http-watchdog") { watchdog.run() }
            undo.append {
                watchdog.watch([])
                watchdog.stop()
                watchdogThread.join()
            }
            var loops: [EventLoop] = []
            var loopThreads: [ServiceThread] = []
            for _ in 0..<configuration.threads {
                let loop = try EventLoop(server: state, watchdog: watchdog)
                guard let loopThread = ServiceThread("http-loop", { loop.run() }) else {
                    // Its thread's whole life, here: it ends at once.
                    loop.stop()
                    loop.run()
                    throw .eventLoop("no thread to run it")
                }
                undo.append {
                    loop.stop()
                    loopThread.join()
                }
                loops.append(loop)
                loopThreads.append(loopThread)
            }
            watchdog.watch(loops)
            guard
                let acceptor = Acceptor(
                    listening, server: state, loops: loops, limit: connectionLimit, watchdog: watchdog)
            else { throw .eventLoop("errno \(errno)") }
            let acceptorThread = try thread("http-accept") { acceptor.run() }
            let parts = Parts(
                loops: loops, loopThreads: loopThreads, acceptor: acceptor, acceptorThread: acceptorThread,
                watchdog: watchdog, watchdogThread: watchdogThread)
            return (parts, listening.port)
        } catch {
            for step in undo.reversed() { step() }
            throw error
        }
    }

    private func thread(_ name: String, _ run: @escaping @Sendable () -> Void) throws(ServerError) -> ServiceThread {
        guard let thread = ServiceThread(name, run) else { throw .eventLoop("no thread for \(name)") }
        return thread
    }
}
