/// What one may ask of the threads of a pool, whatever they do with their items.
///
/// Any thread may call it.
package protocol ConnectionPool<Item>: Sendable {
    associatedtype Item: Sendable

    /// What the pool's threads share; nothing of it can be reached from outside this room.
    var core: PoolCore<Item> { get }
}

extension ConnectionPool {
    /// Takes a waiting item back, unanswered; nil when it is in hand or done.
    @discardableResult
    package func cancel(_ ticket: Ticket) -> Item? { core.mailbox.cancel(ticket) }

    /// Items that wait.
    package var depth: Int { core.mailbox.depth }
    /// Threads that hold an open connection; an idle one notices within a second or two that it has lost it.
    package var connections: Int { core.connections.value }
    /// At least one thread can work.
    package var isConnected: Bool { connections > 0 }

    /// Takes nothing more, finishes what waits within `limit`, gives up the rest. False when a thread did not end.
    @discardableResult
    package func stop(within limit: Duration) async -> Bool {
        await core.stopped(within: limit)
    }
}
