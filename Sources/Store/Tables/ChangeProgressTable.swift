import Consent
import Postgres

/// Table `change_progress`: how an app's persons stand to each change, counted as it comes about.
enum ChangeProgressTable {
    static let ofChange = Statement(
        "change_progress_of_change",
        "select g.status, g.count from change_progress g where g.app_id = $1 and g.change_id = $2",
        parameterTypes: [.text, .text])

    /// Adds to the counters of the changes $2 and statuses $3 the numbers $4; in key order, as everybody does.
    static let add = Statement(
        "change_progress_add",
        """
        insert into change_progress as g (app_id, change_id, status, count)
        select $1, n.change_id, n.status, n.count
        from unnest($2::text[], $3::text[], $4::int8[]) as n(change_id, status, count)
        order by n.change_id collate "C", n.status collate "C"
        on conflict (app_id, change_id, status) do update set count = g.count + excluded.count
        """,
        parameterTypes: [.text, .textArray, .textArray, .int8Array])

    /// Takes away at most $2 counters that count nobody, as `PersonGroupTable.pruneEmpty` does.
    static let pruneEmpty = Statement(
        "change_progress_prune_empty",
        """
        delete from change_progress g using (
            select e.change_id, e.status from change_progress e where e.app_id = $1 and e.count = 0
            order by e.change_id, e.status limit $2 for update skip locked
        ) empty
        where g.app_id = $1 and g.change_id = empty.change_id and g.status = empty.status
        """,
        parameterTypes: [.text, .int8])

    static func adding(_ app: AppID, _ moves: [ProgressName: Int]) -> Parameters {
        var binds = Parameters(capacity: 64 * moves.count + 128)
        let rows = Array(moves)
        binds.append(app)
        binds.column(rows, of: .text) { $0.append(text: $1.key.change.text) }
        binds.column(rows, of: .text) { $0.append(text: $1.key.status.rawValue) }
        binds.column(rows, of: .int8) { $0.append(int8: Int64($1.value)) }
        return binds
    }
}

/// One of the counters of an app.
struct ProgressName: Hashable {
    let change: CallerID
    let status: ProgressStatus
}

/// What is counted of each change, by its name in the database.
enum ProgressStatus: String {
    case pending, approved, denied, revoked, expired, cancelled, acknowledged

    init(_ state: QuestionState) {
        switch state {
        case .pending: self = .pending
        case .approved: self = .approved
        case .denied: self = .denied
        case .revoked: self = .revoked
        case .expired: self = .expired
        case .cancelled: self = .cancelled
        }
    }

    /// The question state it counts; nil for acknowledgments.
    var state: QuestionState? { QuestionState(rawValue: rawValue) }
}
