import Consent
import Postgres

/// Tables `webhook_endpoint` and `webhook_position`.
enum WebhookEndpointTable {
    static let columns = """
        w.id, w.url, w.types, w.description, w.status, w.disabled_reason, w.disabled_at, w.failing_since,
        w.last_success_at, w.secrets, w.secret_ends, w.revision, w.created_at, w.updated_at
        """

    /// At most 50 of them.
    static let ofApp = Statement(
        "webhook_endpoint_of_app",
        "select \(columns) from webhook_endpoint w where w.app_id = $1 order by w.id", parameterTypes: [.text])

    static let byID = Statement(
        "webhook_endpoint_by_id", "select \(columns) from webhook_endpoint w where w.app_id = $1 and w.id = $2",
        parameterTypes: [.text, .uuid])

    /// Those of the ids, for this transaction alone to change.
    static let lock = Statement(
        "webhook_endpoint_lock",
        """
        select \(columns) from webhook_endpoint w
        where w.app_id = $1 and w.id = any($2) order by w.id for no key update
        """,
        parameterTypes: [.text, .uuidArray])

    static let count = Statement(
        "webhook_endpoint_count", "select count(*) from webhook_endpoint w where w.app_id = $1", parameterTypes: [.text]
    )

    /// Keeps whoever makes deliveries from the places in the log that are about to be set.
    static let lockPositions = Statement(
        "webhook_position_lock",
        """
        select p.endpoint_id from webhook_position p
        where p.app_id = $1 and p.endpoint_id = any($2) order by p.endpoint_id for no key update
        """,
        parameterTypes: [.text, .uuidArray])

    static let insert = Statement(
        "webhook_endpoint_insert",
        """
        insert into webhook_endpoint (app_id, id, url, types, description, status, disabled_reason, disabled_at,
            failing_since, last_success_at, secrets, secret_ends, revision, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
        """,
        parameterTypes: valueTypes + [.timestamptz, .timestamptz])

    static let update = Statement(
        "webhook_endpoint_update",
        """
        update webhook_endpoint set url = $3, types = $4, description = $5, status = $6, disabled_reason = $7,
            disabled_at = $8, failing_since = $9, last_success_at = $10, secrets = $11, secret_ends = $12,
            revision = $13, updated_at = $14
        where app_id = $1 and id = $2
        """,
        parameterTypes: valueTypes + [.timestamptz])

    static let delete = Statement(
        "webhook_endpoint_delete", "delete from webhook_endpoint w where w.app_id = $1 and w.id = any($2)",
        parameterTypes: [.text, .uuidArray])

    static let deletePosition = Statement(
        "webhook_position_delete", "delete from webhook_position p where p.app_id = $1 and p.endpoint_id = any($2)",
        parameterTypes: [.text, .uuidArray])

    /// Lets an endpoint begin with what comes from now on.
    static let start = Statement(
        "webhook_position_start",
        """
        insert into webhook_position (app_id, endpoint_id, seq)
        select $1, $2, c.seq from event_counter c where c.app_id = $1
        on conflict (app_id, endpoint_id) do update set seq = excluded.seq
        """,
        parameterTypes: [.text, .uuid])

    /// Lets it go back to the number $3; one that is there already, or further back, stays.
    static let rewind = Statement(
        "webhook_position_rewind",
        "update webhook_position set seq = least(seq, $3) where app_id = $1 and endpoint_id = $2",
        parameterTypes: [.text, .uuid, .int8])

    /// Of each moment in $2 the number of the last event before it, found by halving: a log is in the order of time but for
    /// what is committed at once, which the ten seconds cover.
    static let places = Statement(
        "webhook_places",
        """
        select n.number, a.feed_id, s.seq from unnest($2::timestamptz[]) with ordinality as n(since, number)
        cross join (select a.feed_id from app a where a.id = $1) a
        cross join lateral (
            with recursive search(low, high) as (
                select c.pruned_seq, c.seq from event_counter c where c.app_id = $1
                union all
                select case when e.early then s.middle else s.low end, case when e.early then s.high else s.middle - 1 end
                from (select low, high, (low + high + 1) / 2 as middle from search where low < high) s
                cross join lateral (
                    select e.at < n.since - interval '10 seconds' as early from event e
                    where e.app_id = $1 and e.seq = s.middle
                ) e
            )
            select min(high) as seq from search
        ) s
        """,
        parameterTypes: [.text, .timestamptzArray])

    static func decode(_ row: Row, from first: Int = 0) throws(DatabaseError) -> WebhookEndpoint {
        let types = try row.plainTextsOrNil(first + 2) ?? []
        return WebhookEndpoint(
            id: try row.identifier(first),
            settings: WebhookSettings(
                url: try row.text(first + 1), types: types.map { EventPattern(trusted: $0) },
                description: try row.text(first + 3)),
            status: try row.name(first + 4), disabledReason: try row.nameOrNil(first + 5),
            disabledAt: try row.instantOrNil(first + 6), failingSince: try row.instantOrNil(first + 7),
            lastSuccessAt: try row.instantOrNil(first + 8), secrets: try secrets(row, first + 9),
            revision: Int(try row.int4(first + 11)), createdAt: try row.instant(first + 12),
            updatedAt: try row.instant(first + 13))
    }

    /// Two arrays of one length.
    static func secrets(_ row: Row, _ first: Int) throws(DatabaseError) -> [WebhookSecret] {
        zip(try row.byteas(first), try row.timestamps(first + 1)).compactMap { sealed, end in
            sealed.map { WebhookSecret(sealed: $0, endsAt: end.map { Instant(microseconds: $0) }) }
        }
    }

    static func insertion(_ app: AppID, _ endpoint: WebhookEndpoint) -> Parameters {
        var binds = updating(app, endpoint, at: endpoint.createdAt)
        binds.append(endpoint.updatedAt)
        return binds
    }

    static func updating(_ app: AppID, _ endpoint: WebhookEndpoint) -> Parameters {
        updating(app, endpoint, at: endpoint.updatedAt)
    }

    private static func updating(_ app: AppID, _ endpoint: WebhookEndpoint, at moment: Instant) -> Parameters {
        var binds = Parameters(capacity: 512)
        binds.append(app)
        binds.append(endpoint.id)
        binds.append(text: endpoint.settings.url)
        binds.append(texts: endpoint.settings.types.map(\.text))
        binds.append(text: endpoint.settings.description)
        binds.append(text: endpoint.status.rawValue)
        binds.append(text: endpoint.disabledReason?.rawValue)
        binds.append(timestamp: endpoint.disabledAt?.microseconds)
        binds.append(timestamp: endpoint.failingSince?.microseconds)
        binds.append(timestamp: endpoint.lastSuccessAt?.microseconds)
        binds.append(byteas: endpoint.secrets.map(\.sealed))
        binds.append(timestamps: endpoint.secrets.map { $0.endsAt?.microseconds })
        binds.append(int4: Int32(clamping: endpoint.revision))
        binds.append(moment)
        return binds
    }

    private static let valueTypes: [PostgresType] = [
        .text, .uuid, .text, .textArray, .text, .text, .text, .timestamptz, .timestamptz, .timestamptz, .byteaArray,
        .timestamptzArray, .int4,
    ]
}
