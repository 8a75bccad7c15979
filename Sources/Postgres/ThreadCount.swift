/// Starts threads and knows when the last of them has ended. Its mutex owns its state.
final class ThreadCount: @unchecked Sendable {  // sound: `running` is read and written under `monitor`
    private let monitor = Monitor()
    private let ended = Monitor.Condition()
    private var running = 0

    func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        monitor.locked { running += 1 }
        let isStarted = DedicatedThread.run(name) { [self] in
            body()
            leave()
        }
        if !isStarted { leave() }
        return isStarted
    }

    /// False when `limit` passes before the last one has ended.
    func waitForEnd(until limit: MonotonicTime) -> Bool {
        monitor.lock()
        defer { monitor.unlock() }
        while running > 0 {
            if limit <= .now { return false }
            monitor.wait(for: ended, until: limit)
        }
        return true
    }

    private func leave() {
        monitor.locked {
            running -= 1
            if running == 0 { ended.broadcast() }
        }
    }
}
