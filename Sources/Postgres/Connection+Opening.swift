import CLibPQ
import Glibc

extension Connection {
    /// Connects to one host and sets the session up, all within the connect timeout.
    static func open(
        _ settings: ConnectionSettings, _ host: ConnectionSettings.Host, _ interrupt: Interrupt?
    ) throws(DatabaseError) -> OpaquePointer {
        let limit = MonotonicTime.now + settings.connectTimeout
        guard let handle = start(settings.keywords(for: host)) else {
            throw DatabaseError(.cannotConnect, detail: "out of memory")
        }
        do throws(DatabaseError) {
            try complete(handle, until: limit, interrupt)
            guard PQsetnonblocking(handle, 1) == 0 else { throw DatabaseError(.cannotConnect, connection: handle) }
            do throws(DatabaseError) {
                if !settings.sharesSessions {
                    try Self.simple(handle, settings.sessionSetup, until: limit, interrupt)
                }
            } catch {
                throw DatabaseError(.cannotConnect, sqlState: error.sqlState, detail: error.debugDescription)
            }
            guard PQenterPipelineMode(handle) == 1 else { throw DatabaseError(.cannotConnect, connection: handle) }
            return handle
        } catch {
            PQfinish(handle)
            throw error
        }
    }

    private static func start(_ keywords: [(String, String)]) -> OpaquePointer? {
        var names = keywords.map { strdup($0.0) }
        var values = keywords.map { strdup($0.1) }
        defer {
            for pointer in names + values { free(pointer) }
        }
        names.append(nil)
        values.append(nil)
        let handle = names.withUnsafeBufferPointer { names in
            values.withUnsafeBufferPointer { values in
                names.withMemoryRebound(to: UnsafePointer<CChar>?.self) { names in
                    values.withMemoryRebound(to: UnsafePointer<CChar>?.self) { values in
                        PQconnectStartParams(names.baseAddress, values.baseAddress, 0)
                    }
                }
            }
        }
        guard let handle else { return nil }
        // Notices may quote row values and would go to stderr.
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        // So that the message of a refused connection carries its SQLSTATE: libpq offers it nowhere else.
        PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        return handle
    }

    private static func complete(
        _ handle: OpaquePointer, until limit: MonotonicTime, _ interrupt: Interrupt?
    ) throws(DatabaseError) {
        guard PQstatus(handle) != CONNECTION_BAD else { throw DatabaseError(.cannotConnect, connection: handle) }
        var writing = true
        while true {
            let wait = Wait.socket(PQsocket(handle), reading: !writing, writing: writing, until: limit, interrupt)
            switch wait {
            case .ready: break
            case .timedOut: throw DatabaseError(.cannotConnect, detail: "the host did not answer in time")
            case .interrupted: throw DatabaseError(.cannotConnect, detail: "told to stop")
            }
            switch PQconnectPoll(handle) {
            case PGRES_POLLING_OK: return
            case PGRES_POLLING_READING: writing = false
            case PGRES_POLLING_WRITING: writing = true
            default: throw DatabaseError(.cannotConnect, connection: handle)
            }
        }
    }
}

extension Connection {
    /// Runs SQL text as it stands, several statements if it holds several, by the simple protocol; for migrations and
    /// administration, never for what a caller sent. Results are dropped; the first error is thrown.
    package func execute(_ sql: String, within limit: Duration? = nil) throws(DatabaseError) {
        guard let handle else { throw DatabaseError(.connectionLost, detail: "already closed") }
        guard PQexitPipelineMode(handle) == 1 else {
            let error = DatabaseError(.connectionLost, connection: handle)
            close()
            throw error
        }
        do throws(DatabaseError) {
            try Self.simple(handle, sql, until: .now + (limit ?? settings.flightTimeout), interrupt)
            guard PQenterPipelineMode(handle) == 1 else { throw DatabaseError(.connectionLost, connection: handle) }
        } catch {
            if error.needsNewConnection || PQenterPipelineMode(handle) != 1 { close() }
            leaveTransaction()
            throw error
        }
    }

    private static func simple(
        _ handle: OpaquePointer, _ sql: String, until limit: MonotonicTime, _ interrupt: Interrupt?
    ) throws(DatabaseError) {
        guard PQsendQuery(handle, sql) == 1 else { throw DatabaseError(.connectionLost, connection: handle) }
        var failure: DatabaseError?
        while true {
            while PQisBusy(handle) == 0 {
                guard let result = PQgetResult(handle) else {
                    if PQstatus(handle) == CONNECTION_BAD {
                        throw DatabaseError(.connectionLost, sqlState: failure?.sqlState, detail: "connection lost")
                    }
                    if let failure { throw failure }
                    return
                }
                defer { PQclear(result) }
                switch PQresultStatus(result) {
                case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: break
                case PGRES_FATAL_ERROR: failure = failure ?? DatabaseError(result: result)
                default: throw DatabaseError(.protocolViolation, detail: "copy is not for this call")
                }
            }
            try advance(handle, until: limit, interrupt, after: failure)
        }
    }

    /// Sends what waits to be sent, waits for either direction, and takes in what has come.
    static func advance(
        _ handle: OpaquePointer, until limit: MonotonicTime, _ interrupt: Interrupt?, after failure: DatabaseError?,
        looks: Int = 0
    ) throws(DatabaseError) {
        let isAllSent = try sendOn(handle, after: failure)
        switch Wait.socket(
            PQsocket(handle), reading: true, writing: !isAllSent, until: limit, interrupt,
            looks: looks)
        {
        case .timedOut: throw DatabaseError(.timeout, detail: "no answer within the client's limit")
        case .interrupted: throw DatabaseError(.timeout, detail: "told to stop")
        case .ready(readable: false): return
        case .ready(readable: true): try takeIn(handle, after: failure)
        }
    }

    /// Takes in what has come, without waiting.
    private static func takeIn(_ handle: OpaquePointer, after failure: DatabaseError?) throws(DatabaseError) {
        // One call takes in at least 8 KiB and a TLS record is at most 16: what the TLS layer has already taken off
        // the socket would not wake the next `poll`.
        for _ in 0..<(PQsslInUse(handle) == 1 ? 4 : 1) {
            guard PQconsumeInput(handle) == 1 else {
                if PQisBusy(handle) == 0 { return }  // the server's last words are there to be read first
                throw DatabaseError(.connectionLost, connection: handle).withState(of: failure)
            }
        }
    }

    /// Sends what waits to be sent as far as the socket takes it, without waiting; says whether all is sent.
    private static func sendOn(_ handle: OpaquePointer, after failure: DatabaseError?) throws(DatabaseError) -> Bool {
        let unsent = PQflush(handle)
        // Once libpq has dropped the socket there is nothing to wait on: `poll` would sit out the limit.
        guard unsent >= 0, PQsocket(handle) >= 0, PQstatus(handle) != CONNECTION_BAD else {
            throw DatabaseError(.connectionLost, connection: handle).withState(of: failure)
        }
        return unsent == 0
    }

    /// Takes in what has come; never waits.
    func takeIn() throws(DatabaseError) {
        if let handle { try Self.takeIn(handle, after: nil) }
    }

    /// Sends what waits to be sent as far as the socket takes it; never waits.
    ///
    /// - Returns: whether all is sent.
    func sendOn() throws(DatabaseError) -> Bool {
        guard let handle else { throw DatabaseError(.connectionLost, detail: "already closed") }
        return try Self.sendOn(handle, after: nil)
    }

    /// What becomes readable when something comes; negative once closed.
    var descriptor: Int32 { handle.map { PQsocket($0) } ?? -1 }
}

extension DatabaseError {
    /// The same error with the SQLSTATE of what the server said before.
    func withState(of earlier: DatabaseError?) -> DatabaseError {
        guard let state = earlier?.sqlState else { return self }
        return DatabaseError(kind, sqlState: state, constraint: nil, detail: debugDescription)
    }
}
