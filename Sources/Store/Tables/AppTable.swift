import Consent
import JSON
import Postgres

/// Tables `app` and `event_counter`: the tenants and how far each one's log has come.
enum AppTable {
    private static let columns = """
        a.id, a.name, a.bundle_id, a.app_apple_id, a.environments, a.allowed_origins, a.default_expiration_seconds,
        a.ask_again_seconds, a.default_quorum, a.require_guardian_links, a.adult_not_confirmed, a.revision,
        a.created_at, a.updated_at, a.feed_id, a.policy
        """

    static let byID = Statement(
        "app_by_id", "select \(columns) from app a where a.id = $1", parameterTypes: [.text])

    /// What a batch reads last: the app, if there is one, and behind its columns the moment and the batch's transaction.
    static let andMoment = Statement(
        "app_and_moment",
        """
        select \(columns), t.at, pg_current_xact_id()
        from (select clock_timestamp() as at) t left join app a on a.id = $1
        """,
        parameterTypes: [.text])
    static let columnCount = 16

    /// For what changes the app itself or its keys.
    static let lock = Statement(
        "app_lock", "select \(columns) from app a where a.id = $1 for no key update", parameterTypes: [.text])

    /// At most $2 after the id $1 (the empty text: from the first).
    static let page = Statement(
        "app_page", "select \(columns) from app a where a.id > $1 order by a.id limit $2",
        parameterTypes: [.text, .int8])

    static let origins = Statement(
        "app_origins", "select a.id, a.allowed_origins from app a where a.allowed_origins <> '{}' order by a.id")

    /// Each app with when its oldest kept reply and its oldest event are of, where it has any.
    static let oldestKept = Statement(
        "app_oldest_kept",
        """
        select a.id,
            (select i.created_at from idempotency i where i.app_id = a.id order by i.created_at limit 1),
            (select e.at from event e where e.app_id = a.id
                and e.seq > (select c.pruned_seq from event_counter c where c.app_id = a.id) order by e.seq limit 1),
            least(
                (select s.received_at from store_notification s
                    where s.app_id = a.id and s.status = 'unattributed' order by s.id limit 1),
                (select s.received_at from store_notification s
                    where s.app_id = a.id and s.status = 'quarantined' order by s.id limit 1)),
            (select d.created_at from webhook_delivery d where d.app_id = a.id order by d.id limit 1),
            (select t.expires_at from stream_ticket t where t.app_id = a.id order by t.expires_at limit 1)
        from app a order by a.id
        """)

    /// How far each app's log has come.
    static let heads = Statement(
        "app_heads",
        """
        select a.id, a.feed_id, c.seq, c.pruned_seq from app a join event_counter c on c.app_id = a.id
        where a.id = any($1)
        """,
        parameterTypes: [.textArray])

    static let ids = Statement("app_ids", "select a.id from app a order by a.id")

    /// $16 is the log's feed id.
    static let insert = Statement(
        "app_insert",
        """
        with counter as (insert into event_counter (app_id, seq) values ($1, 0))
        insert into app (id, name, bundle_id, app_apple_id, environments, allowed_origins, default_expiration_seconds,
            ask_again_seconds, default_quorum, require_guardian_links, adult_not_confirmed, revision, created_at,
            updated_at, policy, feed_id)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
        """,
        parameterTypes: valueTypes + [.text])

    static let update = Statement(
        "app_update",
        """
        update app set name = $2, bundle_id = $3, app_apple_id = $4, environments = $5, allowed_origins = $6,
            default_expiration_seconds = $7, ask_again_seconds = $8, default_quorum = $9, require_guardian_links = $10,
            adult_not_confirmed = $11, revision = $12, created_at = $13, updated_at = $14, policy = $15
        where id = $1
        """,
        parameterTypes: valueTypes)

    static let renewFeed = Statement(
        "app_renew_feed", "update app set feed_id = $2 where id = $1", parameterTypes: [.text, .text])

    private static let valueTypes: [PostgresType] = [
        .text, .text, .text, .text, .textArray, .textArray, .int4, .int4, .int2, .bool, .text, .int4, .timestamptz,
        .timestamptz, .json,
    ]

    static func decode(_ row: Row) throws(DatabaseError) -> App {
        var policy = Policy(
            defaultExpirationSeconds: Int(try row.int4(6)), askAgainSeconds: Int(try row.int4(7)),
            defaultQuorum: Int(try row.int2(8)), requireGuardianLinks: try row.bool(9),
            adultNotConfirmed: try row.name(10))
        try decode(try row.json(15), into: &policy, row)
        let environments = try row.plainTextsOrNil(4) ?? []
        let settings = AppSettings(
            name: try row.text(1), bundleID: try row.textOrNil(2), appAppleID: try row.textOrNil(3),
            environments: environments.compactMap(OriginalVersion.Environment.init(rawValue:)),
            allowedOrigins: try row.plainTextsOrNil(5) ?? [], policy: policy)
        return App(
            id: try row.appID(0), settings: settings, revision: Int(try row.int4(11)),
            createdAt: try row.instant(12), updatedAt: try row.instant(13))
    }

    private static func decode(_ json: [UInt8], into policy: inout Policy, _ row: Row) throws(DatabaseError) {
        do {
            let document = try JSONDocument.parse(json)
            try document.readObject { PolicyEncoding.read($0, into: &policy) }
        } catch {
            throw row.foreign(15)
        }
    }

    static func feed(_ row: Row) throws(DatabaseError) -> String {
        try row.text(14)
    }

    static func binds(_ app: App) -> Parameters {
        let settings = app.settings
        var binds = Parameters(capacity: 512)
        binds.append(app.id)
        binds.append(text: settings.name)
        binds.append(text: settings.bundleID)
        binds.append(text: settings.appAppleID)
        binds.append(texts: settings.environments.map(\.rawValue))
        binds.append(texts: settings.allowedOrigins)
        binds.append(int4: Int32(clamping: settings.policy.defaultExpirationSeconds))
        binds.append(int4: Int32(clamping: settings.policy.askAgainSeconds))
        binds.append(int2: Int16(clamping: settings.policy.defaultQuorum))
        binds.append(bool: settings.policy.requireGuardianLinks)
        binds.append(text: settings.policy.adultNotConfirmed.rawValue)
        binds.append(int4: Int32(clamping: app.revision))
        binds.append(app.createdAt)
        binds.append(app.updatedAt)
        var json = JSONWriter(capacity: 512)
        PolicyEncoding.write(settings.policy, &json)
        binds.append(json: json.finish())
        return binds
    }
}
