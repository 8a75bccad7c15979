import Synchronization

/// What has been started and must be stopped, last first; a mutex owns the list.
final class Closing: Sendable {
    private let steps = Mutex<[@Sendable () async -> Void]>([])

    /// Adds how to stop what was just started.
    func add(_ step: @escaping @Sendable () async -> Void) {
        steps.withLock { $0.append(step) }
    }

    /// Runs every step once, in reverse order.
    func close() async {
        while let step = steps.withLock({ $0.popLast() }) { await step() }
    }
}
