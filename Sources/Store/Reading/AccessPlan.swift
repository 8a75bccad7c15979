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
        var changes: [ChangeInEffect] = []
        changes.reserveCapacity(results[place + 1].count)
        for index in 0..<results[place + 1].count {
            changes.append(try AccessQueries.change(results[place + 1][index]))
        }
        var decisions: [CallerID: AccessDecision] = [:]
        let rows = results[place + 2]
        decisions.reserveCapacity(rows.count)
        for index in 0..<rows.count {
            let decided = try AccessQueries.decision(rows[index], policy, changes)
            decisions[decided.person] = decided.decision
        }
        return decisions
    }
}
