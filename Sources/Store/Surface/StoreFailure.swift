/// Why no answer could be had from the database; nothing of it is the caller's fault.
package enum StoreFailure: Error, Sendable, Hashable {
    /// Too much waits already; come back later.
    case overloaded
    /// The database cannot be reached or is not writable.
    case unavailable
    /// The caller's deadline passed, or its task was cancelled, while the request waited; it was not run.
    case deadline
    /// The connection was lost around the commit and what became of it could not be learnt.
    case outcomeUnknown
    /// A statement failed in a way nobody foresaw; the SQLSTATE, for the log.
    case broken(sqlState: String?)
}
