extension BatchWriter {
    /// What the server knows about a transaction.
    private enum Fate {
        case inProgress
        case committed
        case aborted
        /// The id was never handed out: a crash lost it before it reached the disk.
        case neverWas
        /// Too long ago to be known.
        case forgotten
    }

    private static var status: Statement {
        Statement("pg_xact_status", "select pg_xact_status($1::text::xid8)", parameterTypes: [.text])
    }

    /// Ends the session that still holds the transaction: its client is gone, so it can only commit what was already
    /// sent or time out. Told by both ids: after a crash either alone may be somebody else's.
    private static var terminate: Statement {
        Statement(
            "pg_terminate_holder",
            """
            select pg_terminate_backend(pid) from pg_stat_activity
            where backend_xid = $1::text::xid8::xid and pid = $2
            """,
            parameterTypes: [.text, .int4])
    }

    /// Learns what became of a commit whose answer was lost, for as long as the outcome limit allows.
    func settle(
        _ pending: Pending<Handler.Decision>, of backend: Int32, _ cause: DatabaseError, _ keeper: ConnectionKeeper
    ) -> Verdict {
        let outcome = outcome(of: pending, from: backend, keeper)
        observe(.outcome(outcome))
        switch outcome {
        case .committed:
            handler.tell(pending.decision)
            return .told
        case .notCommitted:
            return cause.isRetryable ? .lost(cause) : .refused(cause)
        case .unknown:
            return .unknown
        }
    }

    private func outcome(
        of pending: Pending<Handler.Decision>, from backend: Int32, _ keeper: ConnectionKeeper
    ) -> CommitOutcome {
        let limit = MonotonicTime.now + settings.outcomeLimit
        var backoff = Backoff(first: .milliseconds(10), limit: .milliseconds(250))
        var asked = 0
        while let connection = keeper.connected(until: limit) {
            do throws(DatabaseError) {
                switch try fate(of: pending.transaction, on: connection) {
                case .aborted, .neverWas:
                    return .notCommitted
                case .committed:
                    // After a crash the id may have been given to somebody else's transaction, which committed.
                    return try handler.landed(pending.decision, on: connection) ? .committed : .notCommitted
                case .forgotten:
                    return try handler.landed(pending.decision, on: connection) ? .committed : .unknown
                case .inProgress:
                    asked += 1
                    if asked == 5, let transaction = pending.transaction {
                        var holder = Parameters.transaction(transaction)
                        holder.append(int4: backend)
                        _ = try connection.run(Self.terminate, holder)
                    }
                }
            } catch {
                connection.leaveTransaction()
                if !connection.isOpen { keeper.lost(connection, error) }
            }
            guard MonotonicTime.now < limit, interrupt.sleep(for: backoff.next()) else { break }
        }
        return .unknown
    }

    private func fate(of transaction: UInt64?, on connection: Connection) throws(DatabaseError) -> Fate {
        guard let transaction else { return .forgotten }
        let result: ResultSet
        do throws(DatabaseError) {
            result = try connection.run(Self.status, .transaction(transaction))
        } catch {
            // "transaction ID … is in the future" is the only way this statement can be refused for its value.
            guard error.kind == .server, error.sqlState == "22023" else { throw error }
            return .neverWas
        }
        switch try result[0].textOrNil(0) {
        case "in progress": return .inProgress
        case "committed": return .committed
        case "aborted": return .aborted
        case nil: return .forgotten
        default: throw DatabaseError(.protocolViolation, detail: "an unknown transaction status")
        }
    }
}

extension Parameters {
    fileprivate static func transaction(_ id: UInt64) -> Parameters {
        var parameters = Parameters()
        parameters.append(text: String(id))
        return parameters
    }
}
