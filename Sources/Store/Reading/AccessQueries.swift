import Consent
import Postgres

/// What decisions about access are made on.
enum AccessQueries {
    /// The changes that are not withdrawn, each with the moment it takes effect, in byte order of their ids.
    static let changes = Statement(
        "query_access_changes",
        """
        select c.id, c.features, c.version, c.build, c.effective_from from change c
        where c.app_id = $1 and c.withdrawn_at is null order by c.id
        """,
        parameterTypes: [.text])

    /// The persons $2 that there are, each with the changes they acknowledged and their newest question about each change
    /// in effect, and the moment of reading.
    ///
    /// Which question a return has asked again is what `QuestionBrief.isRescinded` says, looked up for those alone that a
    /// rescission ended.
    ///
    /// One statement, so that all that is known of a person is of one moment: facts from before an answer and the answer
    /// would make a decision that never held. A person costs a look-up for each change, however many questions there are.
    static let persons = Statement(
        "query_access_persons",
        """
        with subjects as materialized (
            select c.id, substring(sha256(convert_to('change' || chr(31) || c.id, 'UTF8')) for 16) as subject
            from change c
            -- A change that was withdrawn between the two statements must not look as if nobody had been asked.
            where c.app_id = $1
                and (c.withdrawn_at is null or c.withdrawn_at > clock_timestamp() - interval '1 minute')
        )
        select \(PersonTable.columns), a.changes, q.changes, q.ids, q.states, q.expirations, q.rescinded,
            (select clock_timestamp())
        from unnest($2::text[]) as n(id)
        cross join lateral (select * from person p where p.app_id = $1 and p.id = n.id collate "C" limit 1) p
        cross join lateral (
            select array_agg(k.change_id) as changes from (
                select k.change_id from acknowledgment k where k.app_id = $1 and k.person_ref = p.ref offset 0) k
        ) a
        cross join lateral (
            select array_agg(s.id) as changes, array_agg(q.id) as ids, array_agg(q.state) as states,
                array_agg(q.expiration) as expirations, array_agg(q.rescinded) as rescinded
            from subjects s cross join lateral (
                select q.id, q.state, q.expiration, case when q.resolved_by = 'rescission' then not exists (
                    select 1 from rescission r
                    where r.app_id = $1 and r.person_ref = p.ref and r.scope = 'change' and q.id = any(r.ended)
                        and (p.returned_at is null or p.returned_at < r.effective_at)
                ) end as rescinded
                from question q
                where q.app_id = $1 and q.person_ref = p.ref and q.subject = s.subject
                order by q.id desc limit 1
            ) q
        ) q
        """,
        parameterTypes: [.text, .textArray])

    static func change(_ row: Row) throws(DatabaseError) -> (change: ChangeInEffect, effectiveFrom: Instant?) {
        let change = ChangeInEffect(
            id: try row.callerID(0), features: try row.plainTextsOrNil(1), version: try row.textOrNil(2),
            build: try row.textOrNil(3))
        return (change, try row.instantOrNil(4))
    }

    /// When a person's row was read.
    static func moment(_ row: Row) throws(DatabaseError) -> Instant {
        try row.instant(PersonTable.columnCount + 6)
    }

    /// The person of a row and what they may do.
    static func decision(
        _ row: Row, _ policy: Policy, _ changes: EffectiveChanges
    ) throws(DatabaseError) -> (person: CallerID, decision: AccessDecision) {
        let person = try PersonTable.decode(row)
        let first = PersonTable.columnCount
        let acknowledged = try row.plainTextsOrNil(first) ?? []
        let decision = AccessDecision.decide(
            person.facts, isRescinded: person.isRescinded, hasReturned: person.hasReturned, policy: policy,
            changes: changes.inEffect, until: changes.next, questions: try questions(row, first + 1),
            acknowledged: Set(acknowledged.lazy.map { CallerID(trusted: $0) }), now: try moment(row))
        return (person.id, decision)
    }

    /// Reads five arrays of one length: changes, ids, states, expirations, and whether a return has them asked again.
    private static func questions(_ row: Row, _ first: Int) throws(DatabaseError) -> [CallerID: QuestionBrief] {
        guard !row.isNull(first) else { return [:] }
        let changes = try row.texts(first)
        let ids = try row.uuids(first + 1)
        let states = try row.texts(first + 2)
        let expirations = try row.timestamps(first + 3)
        let rescinded = try row.bools(first + 4)
        var questions: [CallerID: QuestionBrief] = [:]
        questions.reserveCapacity(changes.count)
        for (index, change) in changes.enumerated() {
            guard let change, index < ids.count, index < states.count, index < expirations.count,
                index < rescinded.count, let id = ids[index], let expiration = expirations[index],
                let state = states[index].flatMap(QuestionState.init(rawValue:))
            else { throw row.foreign(first) }
            questions[CallerID(trusted: change)] = QuestionBrief(
                id: Identifier(high: id.high, low: id.low), state: state,
                expiration: Instant(microseconds: expiration), isRescinded: rescinded[index] ?? false)
        }
        return questions
    }
}
