/// Runs one batched transaction on one thread: decide, write, commit, tell.
///
/// Owned by its thread.
final class BatchWriter<Handler: BatchHandler> {
    let handler: Handler
    let settings: PoolSettings
    let interrupt: Interrupt
    let observe: @Sendable (PoolObservation) -> Void

    init(
        _ handler: Handler, _ settings: PoolSettings, _ interrupt: Interrupt,
        observe: @escaping @Sendable (PoolObservation) -> Void
    ) {
        self.handler = handler
        self.settings = settings
        self.interrupt = interrupt
        self.observe = observe
    }

    func run(_ items: [Handler.Item], _ keeper: ConnectionKeeper, _ connection: Connection) -> Verdict {
        let pending: Pending<Handler.Decision>
        do throws(DatabaseError) {
            pending = try handler.decide(items, on: connection)
        } catch {
            return refusal(error, connection)
        }
        guard var writes = pending.writes else {
            // Nothing was changed, so how the transaction ends does not matter to the answer.
            handler.tell(pending.decision)
            connection.leaveTransaction()
            return .told
        }
        var checked: [ResultSet]?
        switch pending.commit {
        case .withWrites: break
        case .afterCheck:
            do throws(DatabaseError) {
                let results = try connection.run(writes)
                try handler.check(pending.decision, results: results)
                checked = results
            } catch {
                return refusal(error, connection)
            }
            writes = Flight()
        }
        writes.simple(.commit)
        return commit(writes, pending, isChecked: checked != nil, keeper, connection)
    }

    private func commit(
        _ flight: Flight, _ pending: Pending<Handler.Decision>, isChecked: Bool, _ keeper: ConnectionKeeper,
        _ connection: Connection
    ) -> Verdict {
        let sent = MonotonicTime.now
        var results: [ResultSet]
        do throws(DatabaseError) {
            results = try connection.run(flight)
        } catch {
            // Refused and still connected: the server has said that there was no commit. Gone: it has not.
            guard !connection.isOpen else { return refusal(error, connection) }
            keeper.lost(connection, error)
            return settle(pending, of: connection.backend, error, keeper)
        }
        observe(.committed(after: MonotonicTime.now.since(sent)))
        if !isChecked {
            results.removeLast()
            do throws(DatabaseError) {
                try handler.check(pending.decision, results: results)
            } catch {
                return .unknown
            }
        }
        handler.tell(pending.decision)
        return .told
    }

    private func refusal(_ error: DatabaseError, _ connection: Connection) -> Verdict {
        connection.leaveTransaction()
        return Verdict(error, isOpen: connection.isOpen)
    }
}
