/// Keeps a connection for a thread that must not wait: a thread of its own opens it, and opens another when it is lost.
///
/// Sound: all state is read and written under `monitor`; the connection is used by whoever has it, never by two at once.
final class ConnectionLender: @unchecked Sendable {
    private enum State {
        case nothing
        case offered(Connection)
        case lent
        case returned(DatabaseError, worked: Bool)
        /// Nobody borrows any more.
        case over
    }

    private let monitor = Monitor()
    private let change = Monitor.Condition()
    private var state = State.nothing

    /// The connection, if there is one. It is the caller's until given back.
    func borrow() -> Connection? {
        monitor.locked {
            guard case .offered(let connection) = state else { return nil }
            state = .lent
            return connection
        }
    }

    /// Gives back a connection that is of no use any more; `worked` says whether it ever was.
    func giveBack(_ error: DatabaseError, worked: Bool) { move(to: .returned(error, worked: worked)) }

    /// The borrower will not come again, and has closed what it had.
    func retire() { move(to: .over) }

    private func move(to next: State) {
        monitor.locked {
            if case .over = state { return }
            state = next
            change.signal()
        }
    }

    /// The thread's whole life: until nobody borrows any more, or nobody needs to.
    func run(_ keeper: ConnectionKeeper, until isPointless: () -> Bool) {
        while let connection = keeper.connected(until: .never, unless: isPointless) {
            guard let (error, worked) = lend(connection, until: isPointless) else { return keeper.close() }
            if worked { keeper.isWell() }
            keeper.lost(connection, error)
        }
    }

    /// What became of the connection once it is of no use any more; nil when that does not matter any more.
    private func lend(
        _ connection: Connection, until isPointless: () -> Bool
    ) -> (error: DatabaseError, worked: Bool)? {
        monitor.lock()
        defer { monitor.unlock() }
        if case .over = state { return nil }
        state = .offered(connection)
        while true {
            switch state {
            case .offered:
                if isPointless() {
                    state = .over
                    return nil
                }
                if !connection.checkAlive() {
                    state = .nothing
                    return (DatabaseError(.connectionLost, detail: "closed while idle"), false)
                }
            case .lent, .nothing: break
            case .returned(let error, let worked):
                state = .nothing
                return (error, worked)
            case .over: return nil
            }
            monitor.wait(for: change, until: .now + .seconds(1))
        }
    }
}
