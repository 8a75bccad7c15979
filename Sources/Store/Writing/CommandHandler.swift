import Consent
import Postgres

/// Runs a batch of commands of one app as one transaction: lock and load, decide in memory, write and commit.
///
/// Keeps nothing but a forecast; the pool calls it on its threads.
struct CommandHandler: BatchHandler {
    let forecast: NewcomerForecast
    /// Told the earliest expiration among the questions a batch created, after its commit.
    let expires: @Sendable (Instant) -> Void
    /// Told after the commit of a batch that withdrew a change.
    let withdraws: @Sendable () -> Void
    /// Told the app after the commit of a batch that wrote events.
    let logs: @Sendable (AppID) -> Void

    /// A batch as decided: who waits for what, and what to look for should the answer to the commit be lost.
    struct Decided {
        let replies: [(PendingCommand, Reply)]
        let app: AppID
        let now: Instant
        let firstEvent: PendingEvent?
        let firstKey: IdempotencyName?
        let earliestExpiration: Instant?
        let withdraws: Bool
        let logs: Bool
    }

    func decide(_ items: [PendingCommand], on connection: Connection) throws(DatabaseError) -> Pending<Decided> {
        guard let app = items.first?.request.app else {
            throw DatabaseError(.protocolViolation, detail: "an empty batch")
        }
        var needs = BatchNeeds(items.lazy.map(\.request))
        var held: HeldAccounts?
        if needs.touchesStores {
            let load = AccountLoad(app, needs)
            let accounts = try load.held(try connection.run(load.flight))
            needs.add(accounts)
            held = accounts
        }
        var state = try load(app, needs, held, on: connection)
        var replies: [(PendingCommand, Reply)] = []
        replies.reserveCapacity(items.count)
        for item in items { replies.append((item, state.decide(item.request))) }
        var writes = state.writes
        writes.groupMoves = state.groupMoves
        writes.tickets = state.tickets
        let flight =
            writes.isEmpty
            ? nil
            : writes.flight(
                app, discarding: state.unused, state.stores.unused, creating: state.reborn, at: state.now)
        let decided = Decided(
            replies: replies, app: app, now: state.now, firstEvent: writes.events.first,
            firstKey: writes.keptReplies.first?.0,
            earliestExpiration: writes.newQuestions.lazy.map(\.expiration).min(), withdraws: writes.withdraws,
            logs: !writes.events.isEmpty || !writes.erased.isEmpty)
        return Pending(decided, transaction: state.transaction, writes: flight)
    }

    private func load(
        _ app: AppID, _ needs: BatchNeeds, _ held: HeldAccounts?, on connection: Connection
    ) throws(DatabaseError) -> BatchState {
        guard needs.mayBeOfNewcomers else {
            let load = BatchLoad(app, needs, held)
            return try load.state(try connection.run(load.flight))
        }
        if forecast.expectsNewcomers(in: app) {
            let load = BatchLoad(app, needs, expectsNewcomers: true)
            let results = try connection.run(load.flight)
            if load.metNewcomersAlone(results) { return try load.state(results) }
            // From the start, so that locks are taken in everybody's order.
            connection.leaveTransaction()
        }
        let load = BatchLoad(app, needs)
        let results = try connection.run(load.flight)
        forecast.learn(load.metNewcomersAlone(results), in: app)
        return try load.state(results)
    }

    func landed(_ decided: Decided, on connection: Connection) throws(DatabaseError) -> Bool {
        var flight = Flight()
        if let event = decided.firstEvent {
            flight.add(EventTable.landed, EventTable.landing(decided.app, event, at: decided.now))
        } else if let key = decided.firstKey {
            var binds = Parameters()
            binds.append(decided.app)
            binds.append(text: key.scope)
            binds.append(text: key.key)
            binds.append(decided.now)
            flight.add(IdempotencyTable.landed, binds)
        } else {
            // Nothing of this batch could be found again: running it again is what is sure to be right.
            return false
        }
        return try connection.run(flight).first.map { !$0.isEmpty } ?? false
    }

    func tell(_ decided: Decided) {
        for (item, reply) in decided.replies { item.answer(.success(reply)) }
        if let earliest = decided.earliestExpiration { expires(earliest) }
        if decided.withdraws { withdraws() }
        if decided.logs { logs(decided.app) }
    }

    func fail(_ items: [PendingCommand], _ failure: BatchFailure) {
        for item in items { item.answer(.failure(StoreFailure(failure))) }
    }
}

extension StoreFailure {
    init(_ failure: BatchFailure) {
        switch failure {
        case .expired: self = .deadline
        case .unavailable, .stopping: self = .unavailable
        case .outcomeUnknown: self = .outcomeUnknown
        case .poisoned(let error): self = .broken(sqlState: error.sqlState)
        }
    }
}
