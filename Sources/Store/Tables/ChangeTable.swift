import Consent
import Postgres

/// Table `change`: registered significant changes.
enum ChangeTable {
    private static let columns = """
        c.id, c.version, c.build, c.features, c.languages, c.descriptions, c.revision, c.created_at, c.updated_at,
        c.effective_from, c.withdrawn_at, c.withdrawal_reason, c.kind
        """

    /// The changes $2 and those that the questions $3 are about, held against being changed until commit.
    static let share = Statement(
        "change_share",
        """
        select \(columns) from change c
        where c.app_id = $1 and c.id = any($2 || array(
            select q.topic_value from unnest($3::uuid[]) as n(id) cross join lateral (
                select q.topic_value, q.topic from question q where q.app_id = $1 and q.id = n.id offset 0) q
            where q.topic = 'significantAppUpdate'))
        order by c.id for share
        """,
        parameterTypes: [.text, .textArray, .uuidArray])

    /// As `share`, and every change that is not withdrawn: one statement, so that a batch takes all these locks in one order.
    ///
    /// A change that somebody else's batch registers at the same moment is not waited for: then this one was before it.
    static let shareAll = Statement(
        "change_share_all",
        """
        select \(columns) from change c
        where c.app_id = $1 and (c.withdrawn_at is null or c.id = any($2 || array(
            select q.topic_value from unnest($3::uuid[]) as n(id) cross join lateral (
                select q.topic_value, q.topic from question q where q.app_id = $1 and q.id = n.id offset 0) q
            where q.topic = 'significantAppUpdate')))
        order by c.id for share
        """,
        parameterTypes: [.text, .textArray, .uuidArray])

    /// The changes $2, for this transaction alone to change.
    static let lock = Statement(
        "change_lock",
        "select \(columns) from change c where c.app_id = $1 and c.id = any($2) order by c.id for no key update",
        parameterTypes: [.text, .textArray])

    static let byID = Statement(
        "change_by_id", "select \(columns) from change c where c.app_id = $1 and c.id = $2",
        parameterTypes: [.text, .text])

    /// At most $3 after the id $2 (the empty text: from the first).
    static let page = Statement(
        "change_page",
        "select \(columns) from change c where c.app_id = $1 and c.id > $2 order by c.id limit $3",
        parameterTypes: [.text, .text, .int8])

    static let insert = Statement(
        "change_insert",
        """
        insert into change (app_id, id, version, build, features, languages, descriptions, revision, created_at,
            updated_at, effective_from, kind)
        values ($1, $2, $3, $4, string_to_array($5, chr(31)), $6, $7, $8, $9, $10, $11, $12)
        """,
        parameterTypes: valueTypes)

    static let update = Statement(
        "change_update",
        """
        update change set version = $3, build = $4, features = string_to_array($5, chr(31)), languages = $6,
            descriptions = $7, revision = $8, created_at = $9, updated_at = $10, effective_from = $11, kind = $12
        where app_id = $1 and id = $2
        """,
        parameterTypes: valueTypes)

    private static let valueTypes: [PostgresType] = [
        .text, .text, .text, .text, .text, .textArray, .textArray, .int4, .timestamptz, .timestamptz, .timestamptz,
        .text,
    ]

    /// Marks the change, and that its questions are still to be looked for.
    static let withdraw = Statement(
        "change_withdraw",
        """
        update change set revision = $3, updated_at = $4, withdrawn_at = $4, withdrawal_reason = $5,
            withdrawal_open = true
        where app_id = $1 and id = $2
        """,
        parameterTypes: [.text, .text, .int4, .timestamptz, .text])

    static let closeWithdrawal = Statement(
        "change_close_withdrawal", "update change set withdrawal_open = false where app_id = $1 and id = $2",
        parameterTypes: [.text, .text])

    /// Withdrawn changes of all apps whose questions are still to be looked for.
    static let openWithdrawals = Statement(
        "change_open_withdrawals", "select c.app_id, c.id from change c where c.withdrawal_open order by 1, 2")

    static func decode(_ row: Row) throws(DatabaseError) -> Change {
        let languages = try row.plainTextsOrNil(4) ?? []
        let texts = try row.plainTextsOrNil(5) ?? []
        let settings = ChangeSettings(
            kind: try row.name(12), version: try row.textOrNil(1), build: try row.textOrNil(2),
            features: try row.plainTextsOrNil(3),
            descriptions: zip(languages, texts).map { LocalizedText(language: $0, text: $1) },
            effectiveFrom: try row.instantOrNil(9))
        let reason = try row.textOrNil(11)
        return Change(
            id: try row.callerID(0), settings: settings, revision: Int(try row.int4(6)),
            createdAt: try row.instant(7), updatedAt: try row.instant(8),
            withdrawal: try row.instantOrNil(10).map { Change.Withdrawal(at: $0, reason: reason) })
    }

    static func binds(_ app: AppID, _ change: Change) -> Parameters {
        var binds = Parameters(capacity: 512)
        binds.append(app)
        binds.append(change.id)
        binds.append(text: change.settings.version)
        binds.append(text: change.settings.build)
        binds.append(text: change.settings.features?.joined(separator: "\u{1f}"))
        binds.append(texts: change.settings.descriptions.map(\.language))
        binds.append(texts: change.settings.descriptions.map(\.text))
        binds.append(int4: Int32(clamping: change.revision))
        binds.append(change.createdAt)
        binds.append(change.updatedAt)
        binds.append(timestamp: change.settings.effectiveFrom?.microseconds)
        binds.append(text: change.settings.kind.rawValue)
        return binds
    }

    static func withdrawing(_ app: AppID, _ change: Change) -> Parameters {
        var binds = Parameters(capacity: 256)
        binds.append(app)
        binds.append(change.id)
        binds.append(int4: Int32(clamping: change.revision))
        binds.append(change.updatedAt)
        binds.append(text: change.withdrawal?.reason)
        return binds
    }
}

/// How a batch writes a change.
enum ChangeWriting {
    case insert, update, withdraw
}
