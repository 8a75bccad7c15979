extension PoolCore {
    /// `stop` for callers on the cooperative pool, which must not block.
    func stopped(within limit: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            let isStarted = DedicatedThread.run("\(settings.name)-stop") { [self] in
                continuation.resume(returning: stop(within: limit))
            }
            // Without a thread to wait on, stop without waiting for what is in hand.
            if !isStarted { continuation.resume(returning: stop(within: .zero)) }
        }
    }
}
