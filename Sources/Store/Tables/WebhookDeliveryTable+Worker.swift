import Consent
import Postgres

/// What the delivery worker runs: each is one statement, and a transaction of its own.
extension WebhookDeliveryTable {
    /// Every app with what its enabled endpoints wait for: the one look across apps.
    static let next = Statement(
        "webhook_next",
        """
        select w.app_id, bool_or(p.seq < c.seq), min(n.due_at)
        from webhook_endpoint w
        cross join lateral (
            select p.seq from webhook_position p where p.app_id = w.app_id and p.endpoint_id = w.id offset 0) p
        cross join lateral (select c.seq from event_counter c where c.app_id = w.app_id offset 0) c
        left join lateral (
            select d.due_at from webhook_delivery d
            where d.app_id = w.app_id and d.endpoint_id = w.id and d.status = 'pending' order by d.due_at limit 1
        ) n on true
        where w.status = 'enabled' group by w.app_id order by w.app_id
        """)

    /// Makes the next $2 events after each endpoint's place in the log into deliveries, where the endpoint wants them ($3 and $4
    /// pair patterns with the types that fit), and moves the place. Who comes second waits for the first and finds the place
    /// moved. Events that this statement sees are all there are up to some number, since logs grow in the order of commits.
    ///
    /// A delivery that is there already was made before the place was set back: one that was not delivered begins anew, unless
    /// an attempt is under way.
    static let fanOut = Statement(
        "webhook_fan_out",
        """
        with clock as materialized (select clock_timestamp() as now),
        places as materialized (
            select p.endpoint_id, p.seq from webhook_position p
            where p.app_id = $1 and p.seq < (select c.seq from event_counter c where c.app_id = $1)
                and p.endpoint_id = any(array(
                    select w.id from webhook_endpoint w where w.app_id = $1 and w.status = 'enabled'))
            order by p.endpoint_id for no key update
        ),
        pages as materialized (
            select p.endpoint_id, e.seq, e.type from places p cross join lateral (
                select e.seq, e.type from event e where e.app_id = $1 and e.seq > p.seq order by e.seq limit $2
            ) e
        ),
        moved as (
            update webhook_position p set seq = n.seq
            from (
                -- Where no event is left, all up to the last one were taken away.
                select p.endpoint_id, coalesce(
                    (select max(g.seq) from pages g where g.endpoint_id = p.endpoint_id),
                    (select c.seq from event_counter c where c.app_id = $1)) as seq
                from places p
            ) n
            where p.app_id = $1 and p.endpoint_id = n.endpoint_id
            returning p.endpoint_id, p.seq
        ),
        made as (
            insert into webhook_delivery as d (app_id, id, endpoint_id, seq, status, attempts, tries, due_at, created_at)
            select $1, (
                    lpad(to_hex((extract(epoch from c.now) * 1000000)::int8 / 1000), 12, '0') || '7'
                    || lpad(to_hex((extract(epoch from c.now) * 1000000)::int8 % 1000), 3, '0')
                    || right(gen_random_uuid()::text, 17)
                )::uuid, p.endpoint_id, p.seq, 'pending', 0, 0, c.now, c.now
            from pages p
            join webhook_endpoint w on w.app_id = $1 and w.id = p.endpoint_id
            cross join clock c
            where exists (
                select 1 from unnest($3::text[], $4::text[]) as f(pattern, type)
                where f.type = p.type and f.pattern = any(w.types))
            order by p.endpoint_id, p.seq
            on conflict (app_id, endpoint_id, seq) do update
            set status = 'pending', tries = 0, due_at = excluded.due_at, lease = null, finished_at = null
            where d.status = 'failed' or (d.status = 'pending' and (d.lease is null or d.due_at <= excluded.due_at))
            returning 1
        )
        select (select count(*) from made),
            exists (select 1 from moved m where m.seq < (select c.seq from event_counter c where c.app_id = $1))
        """,
        parameterTypes: [.text, .int8, .textArray, .textArray])

    /// Leases at most $2 deliveries that are due for $4 seconds under the name $5: of each enabled endpoint that fails ($6) or
    /// does not at most $3 with those that are leased already, in turn, the longest due first.
    static let claim = Statement(
        "webhook_claim",
        """
        with clock as materialized (select clock_timestamp() as now),
        due as materialized (
            select d.id, d.due_at, row_number() over (partition by d.endpoint_id order by d.due_at) as turn
            from webhook_endpoint w cross join lateral (
                select d.id, d.endpoint_id, d.due_at from webhook_delivery d
                where d.app_id = $1 and d.endpoint_id = w.id and d.status = 'pending'
                    and d.due_at <= (select now from clock)
                order by d.due_at
                limit greatest(0, $3 - (
                    select count(*) from webhook_delivery l
                    where l.app_id = $1 and l.endpoint_id = w.id and l.lease is not null
                        and l.due_at > (select now from clock)))
                for no key update skip locked
            ) d
            where w.app_id = $1 and w.status = 'enabled' and (w.failing_since is not null) = $6
        ),
        claimed as (
            update webhook_delivery d
            set lease = $5, due_at = (select now from clock) + $4 * interval '1 second'
            from (select id from due order by turn, due_at, id limit $2) c
            where d.app_id = $1 and d.id = c.id
            returning d.id, d.endpoint_id, d.seq, d.attempts, d.created_at
        )
        select \(EventTable.columns), d.id, d.endpoint_id, d.seq, d.attempts, d.created_at, w.url, w.secrets,
            w.secret_ends, a.feed_id, (select now from clock)
        from claimed d
        join webhook_endpoint w on w.app_id = $1 and w.id = d.endpoint_id
        cross join (select a.feed_id from app a where a.id = $1) a
        left join lateral (select * from event e where e.app_id = $1 and e.seq = d.seq limit 1) e on true
        \(EventTable.question)
        order by d.endpoint_id, d.id
        """,
        parameterTypes: [.text, .int8, .int8, .int8, .uuid, .bool])

    /// Nil for a delivery whose event was taken away while it was claimed.
    static func decodeClaimed(_ row: Row, _ app: AppID, lease: Identifier) throws(DatabaseError) -> ClaimedDelivery? {
        let first = EventTable.columnCount
        let feed = try row.text(first + 8)
        let now = try row.instant(first + 9)
        let (id, endpoint) = (try row.identifier(first), try row.identifier(first + 1))
        let source: ClaimedDelivery.Source
        let message: WebhookMessage
        if let seq = try row.int8OrNil(first + 2) {
            guard !row.isNull(0) else { return nil }
            source = .event(feed: feed, seq: seq)
            message = WebhookMessage(try EventTable.decode(row, app: app, feed: feed))
        } else {
            source = .test
            message = WebhookMessage(
                type: WebhookMessage.testType, at: try row.instant(first + 4), id: endpoint.text)
        }
        let secrets = try WebhookEndpointTable.secrets(row, first + 6)
        return ClaimedDelivery(
            app: app, endpoint: endpoint, id: id, lease: lease, attempt: Int(try row.int4(first + 3)) + 1,
            url: try row.text(first + 5),
            secrets: secrets.filter { $0.endsAt.map { $0 > now } ?? true }.map(\.sealed), source: source,
            message: message)
    }
}
