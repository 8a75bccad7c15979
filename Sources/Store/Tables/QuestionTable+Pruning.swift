import Consent
import Postgres

/// How old questions are found and taken away.
extension QuestionTable {
    /// Looks at $3 questions after the id $2, in the order of creation. For each: whether it may be dispensable, by all but
    /// the finer points of `Question.isDispensable`, and whether it was created more than $4 seconds ago.
    static let old = Statement(
        "question_old",
        """
        select q.id, q.state <> 'pending' and q.expiration < t.cutoff and q.updated_at < t.cutoff
            and case
                when q.topic = 'significantAppUpdate' then
                    q.resolved_by <> 'guardian' and exists (
                        select 1 from question o where o.app_id = $1 and o.person_ref = q.person_ref
                            and o.subject = q.subject and o.id > q.id)
                    or exists (
                        select 1 from change c
                        where c.app_id = $1 and c.id = q.topic_value and c.withdrawn_at < t.cutoff)
                when q.superseded_by is not null then true
                when q.state = 'approved' then not q.reusable
                when q.state in ('denied', 'revoked') then
                    q.updated_at < clock_timestamp() - interval '\(Policy.longestAskAgain) seconds'
                else true
            end
            and not exists (\(event)),
            q.created_at < t.cutoff
        from (select clock_timestamp() - $4 * interval '1 second' as cutoff offset 0) t
        cross join lateral (
            select * from question q where q.app_id = $1 and q.id > $2 order by q.id limit $3
        ) q
        order by q.id
        """,
        parameterTypes: [.text, .uuid, .int8, .int8])

    private static let event = """
        select 1 from event e where e.app_id = $1 and e.person_ref = q.person_ref and e.question_id = q.id
        """

    /// The questions $2 of which no event tells, each with its surroundings. They are locked themselves too: where the person
    /// was erased there is no row of theirs left to lock, and two batches would both take the question out of its count.
    static let untold = Statement(
        "question_untold",
        """
        select \(columns),
            exists (
                select 1 from question o where o.app_id = $1 and o.person_ref = q.person_ref and o.subject = q.subject
                    and o.id < q.id),
            exists (
                select 1 from question o where o.app_id = $1 and o.person_ref = q.person_ref and o.subject = q.subject
                    and o.id > q.id),
            (select c.withdrawn_at from change c
                where c.app_id = $1 and c.id = q.topic_value and q.topic = 'significantAppUpdate')
        from unnest($2::uuid[]) as n(id)
        cross join lateral (
            select * from question q where q.app_id = $1 and q.id = n.id limit 1 for update) q
        where not exists (\(event))
        """,
        parameterTypes: [.text, .uuidArray])

    static let prune = Statement(
        "question_prune", "delete from question where app_id = $1 and id = any($2)",
        parameterTypes: [.text, .uuidArray])

    /// A row of `untold`.
    static func decodeSurrounded(
        _ row: Row
    ) throws(DatabaseError) -> (question: Question, around: Question.Surroundings) {
        let around = Question.Surroundings(
            followsAnother: try row.bool(columnCount), isFollowed: try row.bool(columnCount + 1),
            changeWithdrawnAt: try row.instantOrNil(columnCount + 2))
        return (try decode(row), around)
    }
}
