/// What a writer pool does with a batch of items: the caller's half of a batched transaction.
///
/// All methods run on the pool's threads, several batches at once; they must not block on anything but the connection
/// they are given. Every accepted item ends in exactly one `tell` or one `fail`.
package protocol BatchHandler: Sendable {
    associatedtype Item: Sendable
    associatedtype Decision

    /// Begins a transaction, locks and loads, decides. Called again from the start when the batch is run again.
    func decide(_ items: [Item], on connection: Connection) throws(DatabaseError) -> Pending<Decision>

    /// Whether this batch's own rows are in the database, asked when the answer to its commit was lost and the
    /// transaction id says "committed": after a crash that id may be somebody else's.
    func landed(_ decision: Decision, on connection: Connection) throws(DatabaseError) -> Bool

    /// Looks at what the writes returned, one result per statement of `Pending.writes`. With `Commit.afterCheck` a
    /// throw undoes them and counts as a failure of the batch; with `Commit.withWrites` they are committed already,
    /// so a throw makes the outcome unknown. Not called when the outcome had to be asked for: the results are lost.
    func check(_ decision: Decision, results: [ResultSet]) throws(DatabaseError)

    /// The decision holds, durably: answer whoever waits.
    func tell(_ decision: Decision)

    /// These items will not be tried again: answer whoever waits.
    func fail(_ items: [Item], _ failure: BatchFailure)
}

extension BatchHandler {
    package func check(_ decision: Decision, results: [ResultSet]) throws(DatabaseError) {}
}
