import CLibPQ

extension Connection {
    /// Sends the whole flight and returns one result per step, in order.
    ///
    /// The first failure is thrown, a commit answered by anything but `COMMIT` included. After a refused statement the
    /// session is rolled back and usable; after anything else it is closed. `limit` defaults to the settings' flight
    /// timeout.
    package func run(_ flight: Flight, within limit: Duration? = nil) throws(DatabaseError) -> [ResultSet] {
        do throws(DatabaseError) {
            return try fly(flight, until: .now + (limit ?? settings.flightTimeout))
        } catch {
            if error.needsNewConnection || handle.map({ PQstatus($0) == CONNECTION_BAD }) ?? false {
                close()
            } else {
                leaveTransaction()
            }
            throw error
        }
    }

    /// Runs a flight of one statement.
    package func run(
        _ statement: Statement, _ parameters: Parameters = Parameters(capacity: 0)
    ) throws(DatabaseError) -> ResultSet {
        var flight = Flight()
        flight.add(statement, parameters)
        guard let result = try run(flight).first else {
            throw DatabaseError(.protocolViolation, detail: "no result")
        }
        return result
    }

    func fly(_ flight: Flight, until limit: MonotonicTime) throws(DatabaseError) -> [ResultSet] {
        guard !flight.isEmpty else { return [] }
        var airborne = try send(flight)
        while true {
            if let results = try collect(&airborne) { return results }
            guard let handle else { throw Self.closed }
            try Self.advance(
                handle, until: limit, interrupt, after: airborne.failure, looks: settings.looksBeforeSleeping)
        }
    }

    /// Queues everything behind what is in the air; libpq keeps what the socket does not take at once. In a shared session
    /// nothing else may be in the air.
    func send(_ flight: Flight) throws(DatabaseError) -> Airborne {
        guard let handle else { throw Self.closed }
        var awaited: [Airborne.Awaited] = []
        awaited.reserveCapacity(flight.count + 4)
        if settings.sharesSessions {
            try sendUnprepared(flight, handle, &awaited)
            guard PQpipelineSync(handle) == 1 else { throw DatabaseError(.connectionLost, connection: handle) }
            return Airborne(awaited)
        }
        for step in flight.steps {
            let statement = step.statement
            if !prepared.contains(statement.key), preparing.insert(statement.key).inserted {
                guard statement.sendPrepare(handle) else {
                    throw DatabaseError(.connectionLost, connection: handle)
                }
                awaited.append(.preparation(of: statement.key))
            }
            guard statement.send(step.parameters, handle) else {
                throw DatabaseError(.connectionLost, connection: handle)
            }
            awaited.append(.result(isCommit: step.isCommit))
        }
        guard PQpipelineSync(handle) == 1 else { throw DatabaseError(.connectionLost, connection: handle) }
        return Airborne(awaited)
    }

    /// The same in a session that is ours for one transaction: what is set goes with it, behind its `begin` if it has one.
    private func sendUnprepared(
        _ flight: Flight, _ handle: OpaquePointer, _ awaited: inout [Airborne.Awaited]
    ) throws(DatabaseError) {
        var isSetUp = PQtransactionStatus(handle) != PQTRANS_IDLE
        for step in flight.steps {
            if !isSetUp, !step.isBegin {
                isSetUp = true
                guard ConnectionSettings.transactionSetup.sendWhole(settings.transactionSettings, handle) else {
                    throw DatabaseError(.connectionLost, connection: handle)
                }
                awaited.append(.setup)
            }
            guard step.statement.sendWhole(step.parameters, handle) else {
                throw DatabaseError(.connectionLost, connection: handle)
            }
            awaited.append(.result(isCommit: step.isCommit))
        }
    }

    /// Takes what has been taken in for the oldest flight in the air, without waiting; nil while some of it is missing.
    ///
    /// The first failure is thrown; the flight is no more in the air then. A refused statement leaves the session usable.
    func collect(_ airborne: inout Airborne) throws(DatabaseError) -> [ResultSet]? {
        guard let handle else { throw Self.closed }
        while PQisBusy(handle) == 0 {
            guard let raw = PQgetResult(handle) else {
                // The null that ends one statement's answer; a second one means there is nobody to wait for.
                guard airborne.hasAnswer, PQstatus(handle) != CONNECTION_BAD else {
                    throw DatabaseError(.connectionLost, connection: handle).withState(of: airborne.failure)
                }
                airborne.hasAnswer = false
                airborne.next += 1
                continue
            }
            let status = PQresultStatus(raw)
            if status == PGRES_PIPELINE_SYNC {
                PQclear(raw)
                if let failure = airborne.failure { throw failure }
                guard airborne.next == airborne.awaited.count else {
                    throw DatabaseError(.protocolViolation, detail: "answers are missing")
                }
                return airborne.results
            }
            guard airborne.next < airborne.awaited.count else {
                PQclear(raw)
                if let failure = airborne.failure { throw failure.kind == .server ? failure.asLost : failure }
                throw DatabaseError(.protocolViolation, detail: "more answers than questions")
            }
            airborne.hasAnswer = true
            try take(raw, status, &airborne)
        }
        return nil
    }

    /// Sorts one answer: kept as a result, noted as prepared, remembered as the failure, or dropped.
    private func take(
        _ raw: OpaquePointer, _ status: ExecStatusType, _ airborne: inout Airborne
    ) throws(DatabaseError) {
        let awaited = airborne.awaited[airborne.next]
        if case .preparation(let name) = awaited { preparing.remove(name) }
        switch (status, awaited) {
        case (PGRES_COMMAND_OK, .preparation(let name)):
            prepared.insert(name)
            PQclear(raw)
        case (PGRES_TUPLES_OK, .setup):
            PQclear(raw)
        case (PGRES_COMMAND_OK, .result(let isCommit)), (PGRES_TUPLES_OK, .result(let isCommit)),
            (PGRES_EMPTY_QUERY, .result(let isCommit)):
            let result = ResultSet(owning: raw)
            if isCommit, !result.isCommitted, airborne.failure == nil {
                airborne.failure = DatabaseError(
                    .server, sqlState: "40000", detail: "commit answered \(result.commandTag)")
            }
            airborne.results.append(result)
        case (PGRES_PIPELINE_ABORTED, _):
            PQclear(raw)
        case (PGRES_FATAL_ERROR, _):
            airborne.failure = airborne.failure ?? DatabaseError(result: raw)
            PQclear(raw)
        default:
            PQclear(raw)
            throw DatabaseError(.protocolViolation, detail: "an answer of status \(status.rawValue)")
        }
    }
}

extension Connection {
    private static var closed: DatabaseError { DatabaseError(.connectionLost, detail: "already closed") }
}

extension DatabaseError {
    fileprivate var asLost: DatabaseError {
        DatabaseError(.connectionLost, sqlState: sqlState, detail: debugDescription)
    }
}
