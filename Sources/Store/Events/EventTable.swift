import Consent
import Postgres

/// Table `event`: each app's one append-only log.
enum EventTable {
    /// $2 how many, $3 when; the arrays hold a row's values. Raising the counter is the last thing before the commit, so
    /// numbers are in commit order and without gaps. Without a counter the numbers are null, which no row may have: then
    /// nothing is committed.
    static let append = Statement(
        "event_append",
        """
        with counter as (update event_counter set seq = seq + $2 where app_id = $1 returning seq - $2 as base)
        insert into event (app_id, seq, type, at, person_ref, question_id, revision, data)
        select $1, (select base from counter) + n.number, n.type, $3, n.person_ref, n.question_id, n.revision, n.data
        from (
            select unnest($4::text[]) as type, unnest($5::uuid[]) as person_ref, unnest($6::uuid[]) as question_id,
                unnest($7::int4[]) as revision, unnest($8::json[]) as data, generate_series(1, $2) as number
        ) n
        """,
        parameterTypes: [
            .text, .int8, .timestamptz, .textArray, .uuidArray, .uuidArray, .int4Array, .jsonArray,
        ])

    /// Whether the event that a batch wrote first is among the last ones.
    static let landed = Statement(
        "event_landed",
        """
        select 1 from event e
        where e.app_id = $1 and e.seq > (select c.seq from event_counter c where c.app_id = $1) - 100000
            and e.at = $2 and e.type = $3 and e.person_ref is not distinct from $4
            and e.question_id is not distinct from $5 and e.revision is not distinct from $6
        limit 1
        """,
        parameterTypes: [.text, .timestamptz, .text, .uuid, .uuid, .int4])

    /// After which number and through which one the log may be taken away: of at most $3 events that are left those older
    /// than $2 seconds, up to the first that is not. Both numbers are the same where there are none.
    static let old = Statement(
        "event_old",
        """
        with counter as materialized (select c.pruned_seq from event_counter c where c.app_id = $1),
        first as materialized (
            select e.seq, e.at < clock_timestamp() - $2 * interval '1 second' as old from event e
            where e.app_id = $1 and e.seq > (select pruned_seq from counter) order by e.seq limit $3
        )
        select c.pruned_seq, coalesce(
            (select min(f.seq) - 1 from first f where not f.old), (select max(f.seq) from first f), c.pruned_seq)
        from counter c
        """,
        parameterTypes: [.text, .int8, .int8])

    /// Takes away what is left of the log through the number $2.
    static let prune = Statement(
        "event_prune",
        """
        delete from event e
        where e.app_id = $1 and e.seq > (select c.pruned_seq from event_counter c where c.app_id = $1) and e.seq <= $2
        """,
        parameterTypes: [.text, .int8])

    /// Keeps how far the log was taken away.
    static let advance = Statement(
        "event_advance", "update event_counter set pruned_seq = greatest(pruned_seq, $2) where app_id = $1",
        parameterTypes: [.text, .int8])

    static let pruned = Statement(
        "event_pruned", "select c.pruned_seq from event_counter c where c.app_id = $1", parameterTypes: [.text])

    /// What `decode` reads; the statement has the app in $1, the event as `e` and `question` joined.
    static let columns = """
        e.seq, e.type, e.at, e.person_ref, e.revision, e.data,
        (select p.id from person p where p.app_id = $1 and p.ref = e.person_ref),
        \(QuestionTable.columns)
        """

    static let columnCount = 7 + QuestionTable.columnCount

    static let question = """
        left join lateral (select * from question q where q.app_id = $1 and q.id = e.question_id limit 1) q on true
        """

    /// At most $3 after the position $2, of the types $4 alone where there are any.
    static let page = Statement(
        "event_page",
        """
        select \(columns) from event e \(question)
        where e.app_id = $1 and e.seq > $2 and ($4 is null or e.type = any($4)) order by e.seq limit $3
        """,
        parameterTypes: [.text, .int8, .int8, .textArray])

    /// The same of the question $5, found through its person's history.
    static let pageOfQuestion = Statement(
        "event_page_of_question",
        """
        select \(columns) from event e \(question)
        where e.app_id = $1 and e.seq > $2 and e.question_id = $5
            and e.person_ref = (select t.person_ref from question t where t.app_id = $1 and t.id = $5)
            and ($4 is null or e.type = any($4))
        order by e.seq limit $3
        """,
        parameterTypes: [.text, .int8, .int8, .textArray, .uuid])

    /// The same of the person with the id $5.
    static let pageOfPerson = Statement(
        "event_page_of_person",
        """
        select \(columns) from event e \(question)
        where e.app_id = $1 and e.seq > $2
            and e.person_ref = (select t.ref from person t where t.app_id = $1 and t.id = $5)
            and ($4 is null or e.type = any($4))
        order by e.seq limit $3
        """,
        parameterTypes: [.text, .int8, .int8, .textArray, .text])

    /// The same of the person with the ref $5.
    static let pageOfRef = Statement(
        "event_page_of_ref",
        """
        select \(columns) from event e \(question)
        where e.app_id = $1 and e.seq > $2 and e.person_ref = $5 and ($4 is null or e.type = any($4))
        order by e.seq limit $3
        """,
        parameterTypes: [.text, .int8, .int8, .textArray, .uuid])

    /// The same of what the guardian $5 may know, of the person with the ref $6 or the question $7 alone where they are given. An
    /// event came while they were linked if the next that happened to the link, if anything did, was its end; of those who are
    /// not linked any more only the links' own events are shown. All of it is as of one moment.
    static let pageOfGuardian = Statement(
        "event_page_of_guardian",
        """
        with links as materialized (
            select l.seq, l.person_ref, l.type from event l
            where l.app_id = $1 and l.type in ('guardian.linked', 'guardian.unlinked')
                and (l.data ->> 'guardian') collate "C" = $5 and l.seq > $2
        ),
        picked as (
            select e.seq from guardian_link g
            cross join lateral (
                select e.seq from event e
                where e.app_id = $1 and e.person_ref = g.person_ref and e.seq > $2
                    and ($4 is null or e.type = any($4)) and ($7::uuid is null or e.question_id = $7)
                    and coalesce((
                        select n.type = 'guardian.unlinked' from links n
                        where n.person_ref = e.person_ref and n.seq > e.seq order by n.seq limit 1), true)
                order by e.seq limit $3
            ) e
            where g.app_id = $1 and g.guardian = $5 and ($6::uuid is null or g.person_ref = $6)
            union
            select l.seq from links l
            where ($4 is null or l.type = any($4)) and ($6::uuid is null or l.person_ref = $6) and $7::uuid is null
        )
        select \(columns) from (select p.seq from picked p order by p.seq limit $3) p
        cross join lateral (select * from event e where e.app_id = $1 and e.seq = p.seq limit 1) e \(question)
        order by e.seq
        """,
        parameterTypes: [.text, .int8, .int8, .textArray, .text, .uuid, .uuid])

    static func appending(_ app: AppID, _ events: [PendingEvent], at now: Instant) -> Parameters {
        var binds = Parameters(capacity: 160 * events.count + 256)
        binds.append(app)
        binds.append(int8: Int64(events.count))
        binds.append(now)
        binds.column(events, of: .text) { $0.append(text: $1.type.rawValue) }
        binds.column(events, of: .uuid) { $0.append(uuid: $1.personRef?.halves) }
        binds.column(events, of: .uuid) { $0.append(uuid: $1.question?.halves) }
        binds.column(events, of: .int4) { $0.append(int4: $1.revision.map { Int32(clamping: $0) }) }
        binds.column(events, of: .json) { $0.append(json: $1.data) }
        return binds
    }

    static func landing(_ app: AppID, _ event: PendingEvent, at now: Instant) -> Parameters {
        var binds = Parameters()
        binds.append(app)
        binds.append(now)
        binds.append(text: event.type.rawValue)
        binds.append(uuid: event.personRef?.halves)
        binds.append(uuid: event.question?.halves)
        binds.append(int4: event.revision.map { Int32(clamping: $0) })
        return binds
    }

    static func decode(_ row: Row, app: AppID, feed: String) throws(DatabaseError) -> EventRecord {
        let type = try row.name(1, as: EventType.self)
        let at = try row.instant(2)
        let revision = try row.int4OrNil(4).map(Int.init)
        let question = row.isNull(7) ? nil : try QuestionTable.decode(row, from: 7)
        let stored = StoredEvent(
            type: type, at: at, revision: revision, app: app, personRef: try row.identifierOrNil(3), question: question)
        var evidence: Evidence?
        guard let data = stored.data(try row.jsonOrNil(5), &evidence) else { throw row.foreign(5) }
        return EventRecord(
            app: app, feed: feed, seq: try row.int8(0), type: type, at: at, person: try row.callerIDOrNil(6),
            personRef: try row.identifierOrNil(3), revision: revision, data: data,
            evidence: evidence)
    }
}

/// An event on its way into the log; it has its number only once it is there.
struct PendingEvent {
    let type: EventType
    let personRef: Identifier?
    let question: Identifier?
    let revision: Int?
    /// JSON, written by `EventEncoding`.
    let data: [UInt8]?
}
