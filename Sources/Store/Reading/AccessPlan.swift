import Consent
import Postgres

/// The decisions about access of one flight: all of its persons share the statements, and each change's versions are read
/// once for all of them.
struct AccessPlan {
    private let app: AppID
    private var persons: Set<CallerID> = []
    /// Where the results start: the app's, its changes', the persons'.
    private var place = 0

    init(_ app: AppID) {
        self.app = app
    }

    mutating func add(_ persons: [CallerID]) {
        self.persons.formUnion(persons)
    }

    /// Adds the statements; no person can be added after it.
    mutating func close(_ flight: inout Flight) {
        var binds = Parameters()
        binds.append(app)
        place = flight.add(AppTable.byID, binds)
        flight.add(AccessQueries.changes, binds)
        binds.append(ids: persons.sorted())
        flight.add(AccessQueries.persons, binds)
    }

    /// What each person may do; nothing for somebody who is not known.
    func decisions(_ results: [ResultSet]) throws(DatabaseError) -> [CallerID: AccessDecision] {
        guard let app = results[place].first else { return [:] }
        let policy = try AppTable.decode(app).settings.policy
        var decisions: [CallerID: AccessDecision] = [:]
        let rows = results[place + 2]
        guard let first = rows.first else { return [:] }
        // All persons are read at one moment.
        let changes = try EffectiveChanges(results[place + 1], at: AccessQueries.moment(first))
        decisions.reserveCapacity(rows.count)
        for index in 0..<rows.count {
            let decided = try AccessQueries.decision(rows[index], policy, changes)
            decisions[decided.person] = decided.decision
        }
        return decisions
    }
}

/// The changes that concern somebody at a moment, and when the next one will.
struct EffectiveChanges {
    private(set) var inEffect: [ChangeInEffect] = []
    private(set) var next: Instant?

    init(_ rows: ResultSet, at now: Instant) throws(DatabaseError) {
        inEffect.reserveCapacity(rows.count)
        for index in 0..<rows.count {
            let (change, effectiveFrom) = try AccessQueries.change(rows[index])
            if let effectiveFrom, effectiveFrom > now {
                next = min(next ?? effectiveFrom, effectiveFrom)
            } else {
                inEffect.append(change)
            }
        }
    }
}
