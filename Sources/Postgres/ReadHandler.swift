/// What a reader pool does with a batch of items.
///
/// Methods run on the pool's threads, several batches at once. Every accepted item ends in one answer given by `read`
/// or one `fail`.
package protocol ReadHandler: Sendable {
    associatedtype Item: Sendable

    /// Reads for all items, then, as the very last thing, answers all of them: a throw means that none was answered.
    /// Called again from the start, on a new connection, when the first one was lost.
    func read(_ items: [Item], on connection: Connection) throws(DatabaseError)

    /// These items will not be tried again: answer whoever waits.
    func fail(_ items: [Item], _ failure: BatchFailure)
}
