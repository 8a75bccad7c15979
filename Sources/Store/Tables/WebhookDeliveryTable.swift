import Consent
import Postgres

/// Tables `webhook_delivery` and `webhook_attempt`: what is sent to whom, and what came of it.
enum WebhookDeliveryTable {
    private static let columns = """
        d.id, d.endpoint_id, d.seq, d.status, d.due_at, d.created_at, d.finished_at, a.feed_id,
        (select e.type from event e where e.app_id = $1 and e.seq = d.seq),
        t.numbers, t.starts, t.durations, t.statuses, t.failures
        """

    private static let attempts = """
        cross join (select a.feed_id from app a where a.id = $1) a
        cross join lateral (
            select array_agg(t.number) as numbers, array_agg(t.started_at) as starts,
                array_agg(t.milliseconds) as durations, array_agg(t.status) as statuses, array_agg(t.failure) as failures
            from (
                select t.number, t.started_at, t.milliseconds, t.status, t.failure from webhook_attempt t
                where t.app_id = $1 and t.delivery_id = d.id order by t.number desc limit \(mostAttemptsShown)
            ) t
        ) t
        """

    /// A delivery that is sent again and again has more; the latest are shown.
    private static let mostAttemptsShown = 30

    /// At most $5 of the endpoint $2, newest first, before the id $4, of the statuses $3.
    static let page = Statement(
        "webhook_delivery_page",
        """
        select \(columns) from (
            select d.* from unnest($3::text[]) as s(status) cross join lateral (
                select d.* from webhook_delivery d
                where d.app_id = $1 and d.endpoint_id = $2 and d.status = s.status collate "C" and d.id < $4
                order by d.id desc limit $5
            ) d
            order by d.id desc limit $5
        ) d
        \(attempts) order by d.id desc
        """,
        parameterTypes: [.text, .uuid, .textArray, .uuid, .int8])

    static let byID = Statement(
        "webhook_delivery_by_id",
        """
        select \(columns) from (
            select d.* from webhook_delivery d where d.app_id = $1 and d.id = $3 offset 0
        ) d
        \(attempts)
        where d.endpoint_id = $2
        """,
        parameterTypes: [.text, .uuid, .uuid])

    // MARK: A batch's

    /// Those of the ids $2 that still have the lease beside them in $3, for this transaction alone to change.
    static let lockLeased = Statement(
        "webhook_delivery_lock_leased",
        """
        select d.id, d.lease, d.endpoint_id, d.attempts, d.tries from unnest($2::uuid[], $3::uuid[]) as n(id, lease)
        join webhook_delivery d on d.app_id = $1 and d.id = n.id and d.lease = n.lease
        order by d.id for no key update of d
        """,
        parameterTypes: [.text, .uuidArray, .uuidArray])

    /// Of pairs of an endpoint $2 and an event $3: the delivery, where there is one, the name of the log and whether it
    /// has the event.
    static let ofEvents = Statement(
        "webhook_delivery_of_events",
        """
        select n.endpoint_id, n.seq, d.id, a.feed_id from unnest($2::uuid[], $3::int8[]) as n(endpoint_id, seq)
        cross join (select a.feed_id from app a where a.id = $1) a
        join event e on e.app_id = $1 and e.seq = n.seq
        left join webhook_delivery d on d.app_id = $1 and d.endpoint_id = n.endpoint_id and d.seq = n.seq
        """,
        parameterTypes: [.text, .uuidArray, .int8Array])

    /// Lets a delivery begin, or begin anew unless an attempt is under way; $2 is its id where it is new.
    static let send = Statement(
        "webhook_delivery_send",
        """
        insert into webhook_delivery as d (app_id, id, endpoint_id, seq, status, attempts, tries, due_at, created_at)
        values ($1, $2, $3, $4, 'pending', 0, 0, $5, $5)
        on conflict (app_id, endpoint_id, seq) do update
        set status = 'pending', tries = 0, due_at = excluded.due_at, lease = null, finished_at = null
        where d.status <> 'pending' or d.lease is null or d.due_at <= excluded.due_at
        """,
        parameterTypes: [.text, .uuid, .uuid, .int8, .timestamptz])

    /// $2 is the moment; the arrays hold what each delivery became.
    static let settle = Statement(
        "webhook_delivery_settle",
        """
        update webhook_delivery d set status = n.status, due_at = n.due_at, lease = null, attempts = d.attempts + 1,
            tries = d.tries + 1, finished_at = case when n.status <> 'pending' then $2 end
        from (
            select * from unnest($3::uuid[], $4::text[], $5::timestamptz[]) as n(id, status, due_at) offset 0
        ) n
        where d.app_id = $1 and d.id = n.id
        """,
        parameterTypes: [.text, .timestamptz, .uuidArray, .textArray, .timestamptzArray])

    static let log = Statement(
        "webhook_attempt_insert",
        """
        insert into webhook_attempt (app_id, delivery_id, number, started_at, milliseconds, status, failure)
        select $1, n.* from unnest($2::uuid[], $3::int4[], $4::timestamptz[], $5::int4[], $6::int2[], $7::text[]) as n
        """,
        parameterTypes: [
            .text, .uuidArray, .int4Array, .timestamptzArray, .int4Array, .int2Array, .textArray,
        ])

    // MARK: Retention's

    private static let forgotten = """
        delete from webhook_attempt t using gone
        where t.app_id = $1 and t.delivery_id = gone.id
        """

    /// How many deliveries there are older than $2 seconds, at most $3.
    static let countOld = Statement(
        "webhook_delivery_count_old",
        """
        select count(*) from (
            select 1 from webhook_delivery d
            where d.app_id = $1 and d.id < (
                lpad(to_hex((extract(epoch from (select clock_timestamp())) * 1000)::int8 - $2 * 1000), 12, '0')
                || '00000000000000000000')::uuid
            limit $3
        ) d
        """,
        parameterTypes: [.text, .int8, .int8])

    /// Takes away the oldest deliveries before the id $2, at most $3, with their attempts.
    static let prune = Statement(
        "webhook_delivery_prune",
        """
        with gone as (
            delete from webhook_delivery d
            where d.app_id = $1 and d.id = any(array(
                select o.id from webhook_delivery o where o.app_id = $1 and o.id < $2 order by o.id limit $3))
            returning d.id
        )
        \(forgotten)
        """,
        parameterTypes: [.text, .uuid, .int8])

    /// Takes away the deliveries of events up to the number $2, with their attempts: they go with their events.
    static let pruneEvents = Statement(
        "webhook_delivery_prune_events",
        """
        with gone as (
            delete from webhook_delivery d using (select w.id from webhook_endpoint w where w.app_id = $1 offset 0) w
            where d.app_id = $1 and d.endpoint_id = w.id and d.seq <= $2
            returning d.id
        )
        \(forgotten)
        """,
        parameterTypes: [.text, .int8])

    static func decode(_ row: Row) throws(DatabaseError) -> WebhookDeliveryRecord {
        let delivery = WebhookDelivery(
            id: try row.identifier(0), endpoint: try row.identifier(1), seq: try row.int8OrNil(2),
            status: try row.name(3), dueAt: try row.instantOrNil(4), createdAt: try row.instant(5),
            finishedAt: try row.instantOrNil(6), attempts: try attempts(row, 9))
        return WebhookDeliveryRecord(
            delivery: delivery, feed: try row.text(7), type: try row.nameOrNil(8, as: EventType.self))
    }

    /// Five arrays of one length, newest first; null where there is no attempt.
    private static func attempts(_ row: Row, _ first: Int) throws(DatabaseError) -> [DeliveryAttempt] {
        guard !row.isNull(first) else { return [] }
        let (numbers, starts) = (try row.int4s(first), try row.timestamps(first + 1))
        let (durations, statuses) = (try row.int4s(first + 2), try row.int2s(first + 3))
        let failures = try row.texts(first + 4)
        var attempts: [DeliveryAttempt] = []
        attempts.reserveCapacity(numbers.count)
        for index in numbers.indices.reversed() {
            guard index < starts.count, index < durations.count, index < statuses.count, index < failures.count,
                let number = numbers[index], let start = starts[index], let duration = durations[index]
            else { throw row.foreign(first) }
            attempts.append(
                DeliveryAttempt(
                    number: Int(number), startedAt: Instant(microseconds: start), milliseconds: Int(duration),
                    status: statuses[index].map(Int.init),
                    failure: failures[index].flatMap(AttemptFailure.init(rawValue:))))
        }
        return attempts
    }
}
