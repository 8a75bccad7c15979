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
        let rows = results[place + 2]
        guard let first = rows.first else { return [:] }
        let (changes, next) = try changes(results[place + 1], at: try AccessQueries.moment(first))
        var decisions: [CallerID: AccessDecision] = [:]
        decisions.reserveCapacity(rows.count)
        for index in 0..<rows.count {
            var (person, decision) = try AccessQueries.decision(rows[index], policy, changes)
            // A change that takes effect is one more of the decision's changes, whatever comes of it.
            if let next { decision.validUntil = min(decision.validUntil ?? next, next) }
            decisions[person] = decision
        }
        return decisions
    }

    /// The changes in effect at a moment, and when the next takes effect.
    private func changes(
        _ result: ResultSet, at now: Instant
    ) throws(DatabaseError) -> (inEffect: [ChangeInEffect], next: Instant?) {
        var inEffect: [ChangeInEffect] = []
        inEffect.reserveCapacity(result.count)
        var next: Instant?
        for index in 0..<result.count {
            let (change, from) = try AccessQueries.change(result[index])
            if let from, from > now { next = min(next ?? from, from) } else { inEffect.append(change) }
        }
        return (inEffect, next)
    }
}
