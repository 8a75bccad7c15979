/// Runs items as batched transactions on a few threads, each owning one connection.
///
/// Any thread may call it. Items of one lane that wait together become one transaction; a failed batch is halved until
/// the culprit stands alone; a commit whose answer was lost is asked about before anything is told or run again.
package final class WriterPool<Handler: BatchHandler>: Sendable {
    private let core: PoolCore<Handler.Item>

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

    /// Takes a waiting item back, unanswered; nil when it is in hand or done.
    @discardableResult
    package func cancel(_ ticket: Ticket) -> Handler.Item? { core.mailbox.cancel(ticket) }

    /// Items that wait.
    package var depth: Int { core.mailbox.depth }
    /// Threads that hold an open connection; an idle one notices within a second or two that it has lost it.
    package var connections: Int { core.connections.value }
    /// At least one thread can work.
    package var isConnected: Bool { connections > 0 }

    /// Takes nothing more, finishes what waits within `limit`, gives up the rest. False when a thread did not end.
    @discardableResult
    package func stop(within limit: Duration) async -> Bool {
        await core.stopped(within: limit)
    }
}
