import Postgres

/// What guardians refused, whatever was asked since.
extension QuestionTable {
    /// Of each of the persons with the ids $2 (the first column is their ref) and each change: when a guardian's refusal that
    /// still stands decided a question about it, the last time.
    static let lastRefusals = Statement(
        "question_last_refusals",
        """
        select p.ref, q.topic_value, max(q.resolved_at)
        from person p cross join lateral (
            select q.topic, q.topic_value, q.state, q.resolved_by, q.resolved_at from question q
            where q.app_id = $1 and q.person_ref = p.ref offset 0
        ) q
        where p.app_id = $1 and p.id = any($2) and q.topic = 'significantAppUpdate'
            and q.state in ('denied', 'revoked') and q.resolved_by = 'guardian'
        group by p.ref, q.topic_value
        """,
        parameterTypes: [.text, .textArray])
}
