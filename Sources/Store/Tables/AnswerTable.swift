import Consent
import Postgres

/// Table `answer`: the append-only log of what guardians said.
enum AnswerTable {
    /// The columns `decode` reads, of a row named `a`, in its order.
    static let columns = """
        a.guardian, a.answer, a.reason, a.verification_method, a.verification_reference, a.answered_at, a.revision,
        a.voided_at
        """

    /// Each guardian's latest answer to the pending questions of the persons with the ids $2; the first column is the question's
    /// id.
    static let latestOfPersons = Statement(
        "answer_latest_of_persons",
        """
        select distinct on (a.question_id, a.guardian) a.question_id, \(columns)
        from person p
        cross join lateral (
            select q.id, q.state from question q where q.app_id = $1 and q.person_ref = p.ref offset 0
        ) q
        cross join lateral (select * from answer a where a.app_id = $1 and a.question_id = q.id offset 0) a
        where p.app_id = $1 and p.id = any($2) and q.state = 'pending'
        order by a.question_id, a.guardian, a.revision desc
        """,
        parameterTypes: [.text, .textArray])

    /// The same for the questions of the persons with the ids $2 that a rescission may concern.
    static let latestOfOpen = Statement(
        "answer_latest_of_open",
        """
        select distinct on (a.question_id, a.guardian) a.question_id, \(columns)
        from person p
        cross join lateral (
            select q.id, q.state, q.superseded_by from question q
            where q.app_id = $1 and q.person_ref = p.ref offset 0
        ) q
        cross join lateral (select * from answer a where a.app_id = $1 and a.question_id = q.id offset 0) a
        where p.app_id = $1 and p.id = any($2) and q.superseded_by is null and q.state not in ('expired', 'cancelled')
        order by a.question_id, a.guardian, a.revision desc
        """,
        parameterTypes: [.text, .textArray])

    /// When anything was last approved for each of the persons $2, whatever became of it; the first column is their ref.
    static let lastApprovals = Statement(
        "answer_last_approvals",
        """
        select p.ref, max(a.answered_at)
        from person p
        cross join lateral (select q.id from question q where q.app_id = $1 and q.person_ref = p.ref offset 0) q
        cross join lateral (
            select a.answered_at from answer a where a.app_id = $1 and a.question_id = q.id and a.answer = 'approval'
            offset 0
        ) a
        where p.app_id = $1 and p.id = any($2)
        group by p.ref
        """,
        parameterTypes: [.text, .textArray])

    /// Every answer to the questions $2, each question's in the order given; the first column is the question's id.
    static let ofQuestions = Statement(
        "answer_of_questions",
        """
        select n.id, \(columns)
        from unnest($2::uuid[]) as n(id)
        cross join lateral (
            select * from answer a where a.app_id = $1 and a.question_id = n.id order by a.revision offset 0
        ) a
        """,
        parameterTypes: [.text, .uuidArray])

    static let ofQuestion = Statement(
        "answer_of_question",
        "select \(columns) from answer a where a.app_id = $1 and a.question_id = $2 order by a.revision",
        parameterTypes: [.text, .uuid])

    static let insert = Statement(
        "answer_insert",
        """
        insert into answer (app_id, question_id, revision, guardian, answer, reason, verification_method,
            verification_reference, answered_at)
        select $1, n.question_id, n.revision, n.guardian, n.answer, n.reason, n.method, n.reference, n.answered_at
        from (
            select unnest($2::uuid[]) as question_id, unnest($3::int4[]) as revision, unnest($4::text[]) as guardian,
                unnest($5::text[]) as answer, unnest($6::text[]) as reason, unnest($7::text[]) as method,
                unnest($8::text[]) as reference, unnest($9::timestamptz[]) as answered_at
        ) n
        """,
        parameterTypes: [
            .text, .uuidArray, .int4Array, .textArray, .textArray, .textArray, .textArray, .textArray,
            .timestamptzArray,
        ])

    static let void = Statement(
        "answer_void",
        """
        update answer a set voided_at = $2 from unnest($3::uuid[], $4::int4[]) as n(question_id, revision)
        where a.app_id = $1 and a.question_id = n.question_id and a.revision = n.revision
        """,
        parameterTypes: [.text, .timestamptz, .uuidArray, .int4Array])

    /// All those to the questions $2.
    static let prune = Statement(
        "answer_prune", "delete from answer where app_id = $1 and question_id = any($2)",
        parameterTypes: [.text, .uuidArray])

    static func decode(_ row: Row, from first: Int = 0) throws(DatabaseError) -> GuardianAnswer {
        let reference = try row.textOrNil(first + 4)
        return GuardianAnswer(
            guardian: try row.callerID(first), kind: try row.name(first + 1), reason: try row.textOrNil(first + 2),
            verification: try row.textOrNil(first + 3).map { Verification(method: $0, reference: reference) },
            at: try row.instant(first + 5), revision: Int(try row.int4(first + 6)),
            voidedAt: try row.instantOrNil(first + 7))
    }

    static func insertion(_ app: AppID, _ answers: [RecordedAnswer]) -> Parameters {
        var binds = Parameters(capacity: 128 * answers.count + 256)
        binds.append(app)
        binds.column(answers, of: .uuid) { $0.append(uuid: $1.question.halves) }
        binds.column(answers, of: .int4) { $0.append(int4: Int32(clamping: $1.answer.revision)) }
        binds.column(answers, of: .text) { $0.append(text: $1.answer.guardian.text) }
        binds.column(answers, of: .text) { $0.append(text: $1.answer.kind.rawValue) }
        binds.column(answers, of: .text) { $0.append(text: $1.answer.reason) }
        binds.column(answers, of: .text) { $0.append(text: $1.answer.verification?.method) }
        binds.column(answers, of: .text) { $0.append(text: $1.answer.verification?.reference) }
        binds.column(answers, of: .timestamptz) { $0.append(timestamp: $1.answer.at.microseconds) }
        return binds
    }
}

/// An answer with the question it is to.
struct RecordedAnswer {
    let question: Identifier
    let answer: GuardianAnswer
}
