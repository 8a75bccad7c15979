/// Runs reads in batches on a few threads, each owning one connection.
///
/// Any thread may call it. Reads change nothing, so a lost connection means reading again, once.
package final class ReaderPool<Handler: ReadHandler>: ConnectionPool {
    package let core: PoolCore<Handler.Item>
    private let handler: Handler

    /// Starts connecting at once and keeps trying; items handed in meanwhile wait until their deadlines.
    package init(
        _ settings: PoolSettings, handler: Handler,
        observe: @escaping @Sendable (PoolObservation) -> Void = { _ in }
    ) {
        var settings = settings
        settings.losses = 2
        self.handler = handler
        core = PoolCore(settings, observe: observe) { handler.fail($0, $1) }
        let started = core.start { core in
            PoolThread(core) { items, _, connection in
                do throws(DatabaseError) {
                    try connection.follow(handler.read(items))
                    connection.leaveTransaction()
                    return .told
                } catch {
                    connection.leaveTransaction()
                    return Verdict(error, isOpen: connection.isOpen)
                }
            }.run()
        }
        if started == 0 { core.mailbox.close() }
    }

    /// The turns of the calling thread, which reads itself what it hands in if a connection is left to lend to it.
    package func turn() -> Turn {
        Turn(core.lender().map { lender in TurnReader(core, lender) { [handler] in handler.read($0) } })
    }

    /// Hands an item in; `lane` is its tenant, `cost` its share of the batch bound, `inTurn` whether the calling thread may read it in its
    /// own turns, where others wait behind it. What it reads so cannot be taken back.
    package func submit(
        _ item: Handler.Item, lane: String, cost: Int = 1, priority: Priority = .normal, deadline: MonotonicTime,
        inTurn: Bool = true
    ) -> Admission {
        if inTurn, priority == .normal, let reader = Turn.current?.work as? TurnReader<Handler.Item>,
            reader.core === core,
            reader.take(item, lane: lane, cost: cost, deadline: deadline)
        {
            return .accepted(.none)
        }
        return core.mailbox.put(item, lane: lane, cost: cost, priority: priority, deadline: deadline)
    }
}
