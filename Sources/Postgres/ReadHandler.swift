/// What a reader pool does with a batch of items.
///
/// Methods run on the pool's threads and on those that read in their turns, several batches at once. Every accepted item ends
/// in one answer given by `read` or one `fail`.
package protocol ReadHandler: Sendable {
    associatedtype Item: Sendable

    /// How all items are read. At the very end of the way, as the last thing, all of them are answered: a way that fails has
    /// answered none, and is gone again from the start.
    func read(_ items: [Item]) -> Course

    /// These items will not be tried again: answer whoever waits.
    func fail(_ items: [Item], _ failure: BatchFailure)
}
