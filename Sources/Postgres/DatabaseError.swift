/// What went wrong between us and PostgreSQL, and whether trying again is sane.
///
/// `description` is safe to log: the kind, the SQLSTATE and the constraint, never SQL, parameters or row values.
/// `debugDescription` adds the server's own words, which may quote a caller's data: for a terminal, never for a log.
package struct DatabaseError: Error, Sendable {
    /// Where the failure arose.
    package enum Kind: Sendable, Equatable {
        /// The server refused a statement; the connection lives on.
        case server
        /// The connection went away; what was in flight may or may not have happened.
        case connectionLost
        /// No usable connection could be made.
        case cannotConnect
        /// The server answered something this code does not expect: a wrong width, a missing column, a null.
        case protocolViolation
        /// The client's own limit on a flight passed, or its owner was told to stop; the connection is given up.
        case timeout
    }

    package let kind: Kind
    /// Five characters, when the server said them.
    package let sqlState: String?
    /// The violated constraint's name, when the server said it.
    package let constraint: String?
    /// The statements prepared on the connection no longer fit the schema or the server.
    let staleStatements: Bool
    private let detail: String

    /// An error in the given words; `detail` shows in `debugDescription` only.
    package init(_ kind: Kind, sqlState: String? = nil, constraint: String? = nil, detail: String) {
        self.init(kind, sqlState: sqlState, constraint: constraint, staleStatements: false, detail: detail)
    }

    init(_ kind: Kind, sqlState: String?, constraint: String?, staleStatements: Bool, detail: String) {
        self.kind = kind
        self.sqlState = sqlState
        self.constraint = constraint
        self.staleStatements = staleStatements
        self.detail = detail
    }
}

extension DatabaseError {
    /// The same work may succeed when run again, on a new connection where this one is gone.
    package var isRetryable: Bool {
        switch kind {
        case .connectionLost, .timeout:
            true
        case .protocolViolation:
            false
        case .cannotConnect:
            // Wrong password, no such role or database, no permission: waiting does not heal these.
            !(sqlState.map { $0.hasPrefix("28") || $0 == "3D000" || $0 == "42501" } ?? false)
        case .server:
            staleStatements || (sqlState.map(Self.isRetryableState) ?? false)
        }
    }

    /// The rows do not allow it: when that lasts, waiting for the database does not help.
    var isIntegrityViolation: Bool { sqlState?.hasPrefix("23") ?? false }

    /// The server gave the statement up: its time had passed, or somebody at the database cancelled it.
    var isCancellation: Bool { sqlState == "57014" }

    /// The session behind this error is of no further use although the socket may still be open.
    var needsNewConnection: Bool {
        switch kind {
        case .connectionLost, .timeout, .cannotConnect, .protocolViolation: true
        case .server: staleStatements || (sqlState.map { $0.hasPrefix("57P") || $0 == "25006" } ?? false)
        }
    }

    private static func isRetryableState(_ state: String) -> Bool {
        switch state {
        case "40001", "40P01", "55P03": true  // serialization failure, deadlock, lock not available
        case "23505": true  // unique violation: another transaction was first; run again, this one sees its row
        case "57P01", "57P02", "57P03", "57P05": true  // shutdown, crash, starting up, idle session timeout
        case "25006": true  // read-only: the host became a standby
        case "25P03": true  // idle-in-transaction timeout: the transaction is gone, its work may run again
        default: state.hasPrefix("53") || state.hasPrefix("08")  // out of resources, connection exceptions
        }
    }
}

extension DatabaseError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String {
        var text =
            switch kind {
            case .server: "database refused a statement"
            case .connectionLost: "database connection lost"
            case .cannotConnect: "cannot connect to the database"
            case .protocolViolation: "unexpected answer from the database"
            case .timeout: "database did not answer in time"
            }
        if let sqlState { text += " (SQLSTATE \(sqlState))" }
        if let constraint { text += " on \(constraint)" }
        return text
    }

    package var debugDescription: String {
        detail.isEmpty ? description : "\(description): \(detail)"
    }

    /// The server's or libpq's own words, for the one who sets the connection up; only for failures to connect,
    /// whose words name hosts and roles but hold no statement and no row.
    package var connectMessage: String? {
        kind == .cannotConnect ? detail : nil
    }
}
