/// What a pool reports to logs and metrics as it happens; nothing in it tells of a row or a caller.
package enum PoolObservation: Sendable {
    /// A batch ended well: its items, the longest wait in the queue, the time from taking it to its end.
    case batch(items: Int, waited: Duration, took: Duration)
    /// A commit was answered after this long.
    case committed(after: Duration)
    /// A batch is run again: it failed in a way that may heal.
    case retried(DatabaseError)
    /// A failed batch is halved to find its culprit.
    case halved(items: Int, DatabaseError)
    /// Items were given up.
    case failed(items: Int, BatchFailure)
    /// A thread has a connection, made after this many failures in a row.
    case connected(afterFailures: Int)
    /// A thread could not connect.
    case refused(DatabaseError)
    /// A thread lost its connection.
    case lost(DatabaseError)
    /// The answer to a commit was lost, and this is what asking for it came to.
    case outcome(CommitOutcome)
}

/// What became of a commit whose answer was lost.
package enum CommitOutcome: Sendable {
    /// It is in the database.
    case committed
    /// It is not, and the batch is run again.
    case notCommitted
    /// It could not be learned.
    case unknown
}
