/// An item in front of a pool, with what the queue knows about it.
struct Waiting<Item: Sendable>: Sendable {
    /// Nil once the item has left its place in the middle of the queue.
    var item: Item?
    let sequence: UInt64
    let cost: Int
    let arrived: MonotonicTime
    let deadline: MonotonicTime
}

/// What a thread takes: items of one lane and one priority, in the order they came.
struct Batch<Item: Sendable>: Sendable {
    let lane: String
    let isLow: Bool
    let entries: [Waiting<Item>]
}
