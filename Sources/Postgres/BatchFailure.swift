/// Why an item was given up. In every case but `outcomeUnknown` nothing of it is in the database.
package enum BatchFailure: Error, Sendable {
    /// Its deadline passed before it was done.
    case expired
    /// The database was not there, kept asking to be tried again for longer than is sane, or took too long over a statement.
    case unavailable(DatabaseError)
    /// The pool is stopping.
    case stopping
    /// The commit was sent and its fate could not be learned: it may be in the database.
    case outcomeUnknown
    /// This item alone makes its transaction fail, with this error.
    case poisoned(DatabaseError)
}

// Swift prints an enum's payload with `debugDescription`, which here may quote a caller's data.
extension BatchFailure: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String {
        switch self {
        case .expired: "deadline passed"
        case .unavailable(let error): "database unavailable: \(error.description)"
        case .stopping: "stopping"
        case .outcomeUnknown: "outcome unknown"
        case .poisoned(let error): "cannot be done: \(error.description)"
        }
    }

    package var debugDescription: String { description }
}
