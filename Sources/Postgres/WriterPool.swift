/// Runs items as batched transactions on a few threads, each owning one connection.
///
/// Any thread may call it. Items of one lane that wait together become one transaction; a failed batch is halved until
/// the culprit stands alone; a commit whose answer was lost is asked about before anything is told or run again.
package final class WriterPool<Handler: BatchHandler>: ConnectionPool {
    package let core: PoolCore<Handler.Item>

    /// Starts connecting at once and keeps trying; items handed in meanwhile wait until their deadlines.
    package init(
        _ settings: PoolSettings, handler: Handler,
        observe: @escaping @Sendable (PoolObservation) -> Void = { _ in }
    ) {
        core = PoolCore(settings, observe: observe) { handler.fail($0, $1) }
        let started = core.start { core in
            let writer = BatchWriter(handler, core.settings, core.interrupt, observe: core.observe)
            PoolThread(core) { writer.run($0, $1, $2) }.run()
        }
        if started == 0 { core.mailbox.close() }
    }

    /// Hands an item in; `lane` is its tenant, `cost` its share of the batch bound.
    package func submit(
        _ item: Handler.Item, lane: String, cost: Int = 1, priority: Priority = .normal, deadline: MonotonicTime
    ) -> Admission {
        core.mailbox.put(item, lane: lane, cost: cost, priority: priority, deadline: deadline)
    }
}
