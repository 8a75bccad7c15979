import Consent
import Postgres

/// What a batch of commands reads and writes of `question`.
extension QuestionTable {
    static let byID = Statement(
        "question_by_id",
        """
        select \(columns) from unnest($2::uuid[]) as n(id)
        cross join lateral (select * from question q where q.app_id = $1 and q.id = n.id limit 1) q
        """,
        parameterTypes: [.text, .uuidArray])

    /// The questions $2, each once for each guardian's latest answer to it, whose columns stand behind the question's, and once
    /// where there is none.
    static let answered = Statement(
        "question_answered",
        """
        select \(columns), \(AnswerTable.columns) from unnest($2::uuid[]) as n(id)
        cross join lateral (select * from question q where q.app_id = $1 and q.id = n.id offset 0) q
        \(latestAnswers)
        """,
        parameterTypes: [.text, .uuidArray])

    // Here and wherever it may matter a lateral subquery with a limit or offset says in which order to look: the planner
    // cannot turn it round, however little it knows of the tables.

    /// Beside a question `q`: each guardian's latest answer to it, one row each; one row without where there is none.
    private static let latestAnswers = """
        left join lateral (
            select distinct on (a.guardian) a.* from answer a where a.app_id = $1 and a.question_id = q.id
            order by a.guardian, a.revision desc
        ) a on true
        """

    /// For each (person, subject): the newest question that still stands or may be superseded; about a change the newest
    /// of all, which is the same one or stands no more. It comes once for each guardian's latest answer to it, which what
    /// becomes of it is made on, and once where there is none.
    /// $2 persons' ids, $3 subjects, $4 refs of persons of this batch's own (as `PersonTable.lock` has them), $5 numbers of the
    /// pairs, of one length. The first column is the pair's number; behind the question's columns stand the answer's.
    static let standing = Statement(
        "question_standing",
        """
        select s.n, \(columns), \(AnswerTable.columns)
        from (
            select unnest($2::text[]) as person, unnest($3::text[]) as subject, unnest($4::uuid[]) as own,
                unnest($5::int4[]) as n
        ) s
        cross join lateral (
            select p.ref from person p
            where p.app_id = $1 and p.id = s.person collate "C" and p.ref is distinct from s.own offset 0
        ) p
        cross join lateral (
            select * from question q
            where q.app_id = $1 and q.person_ref = p.ref
                and q.subject = substring(sha256(convert_to(s.subject, 'UTF8')) for 16)
                and q.superseded_by is null
                and (q.topic = 'significantAppUpdate' or q.state not in ('expired', 'cancelled'))
            order by q.id desc limit 1
        ) q
        \(latestAnswers)
        """,
        parameterTypes: [.text, .textArray, .textArray, .uuidArray, .int4Array])

    /// Of the persons with the ids $2, for each change that is not withdrawn: what `standing` has for the pair.
    static let standingOnChanges = Statement(
        "question_standing_on_changes",
        """
        with subjects as materialized (
            select substring(sha256(convert_to('change' || chr(31) || c.id, 'UTF8')) for 16) as subject
            from change c where c.app_id = $1 and c.withdrawn_at is null
        )
        select \(columns), \(AnswerTable.columns)
        from unnest($2::text[]) as n(id)
        cross join lateral (select p.ref from person p where p.app_id = $1 and p.id = n.id collate "C" limit 1) p
        cross join lateral (
            select q.* from subjects s cross join lateral (
                select * from question q
                where q.app_id = $1 and q.person_ref = p.ref and q.subject = s.subject and q.superseded_by is null
                order by q.id desc limit 1
            ) q offset 0
        ) q
        \(latestAnswers)
        """,
        parameterTypes: [.text, .textArray])

    /// Pending questions of the persons with the ids $2.
    static let pendingOfPersons = Statement(
        "question_pending_of_persons",
        """
        select \(columns)
        from person p cross join lateral (
            select * from question q where q.app_id = $1 and q.person_ref = p.ref offset 0
        ) q
        where p.app_id = $1 and p.id = any($2) and q.state = 'pending'
        """,
        parameterTypes: [.text, .textArray])

    /// Questions of the persons with the ids $2 that a rescission may end, or on which it may void approvals.
    static let openOfPersons = Statement(
        "question_open_of_persons",
        """
        select \(columns)
        from person p cross join lateral (
            select * from question q where q.app_id = $1 and q.person_ref = p.ref offset 0
        ) q
        where p.app_id = $1 and p.id = any($2) and q.superseded_by is null and q.state not in ('expired', 'cancelled')
        """,
        parameterTypes: [.text, .textArray])

    // Rows come as arrays that a select list takes apart side by side: in `from` each array would first be copied into a
    // store of its own, which cost a sixth of the statement.

    /// $2 is when they were created; the arrays hold a row's values in column order, handles joined by U+001F.
    static let insert = Statement(
        "question_insert",
        """
        insert into question (app_id, id, person_ref, subject, topic, topic_value, handles, reusable, description,
            language, quorum, expiration, created_at, updated_at, revision, state, ever_approved)
        select $1, n.id, n.person_ref, substring(sha256(convert_to(n.subject, 'UTF8')) for 16), n.topic, n.topic_value,
            string_to_array(n.handles, chr(31)), n.reusable, n.description, n.language, n.quorum, n.expiration, $2, $2,
            1, 'pending', false
        from (
            select unnest($3::uuid[]) as id, unnest($4::uuid[]) as person_ref, unnest($5::text[]) as subject,
                unnest($6::text[]) as topic, unnest($7::text[]) as topic_value, unnest($8::text[]) as handles,
                unnest($9::bool[]) as reusable, unnest($10::text[]) as description, unnest($11::text[]) as language,
                unnest($12::int2[]) as quorum, unnest($13::timestamptz[]) as expiration
        ) n
        """,
        parameterTypes: [
            .text, .timestamptz, .uuidArray, .uuidArray, .textArray, .textArray, .textArray, .textArray, .boolArray,
            .textArray, .textArray, .int2Array, .timestamptzArray,
        ])

    static let update = Statement(
        "question_update",
        """
        update question q set revision = n.revision, state = n.state, ever_approved = n.ever_approved,
            resolved_by = n.resolved_by, resolved_guardian = n.resolved_guardian, resolved_at = n.resolved_at,
            resolved_reason = n.resolved_reason, superseded_by = n.superseded_by, updated_at = n.updated_at
        from (
            select unnest($2::uuid[]) as id, unnest($3::int4[]) as revision, unnest($4::text[]) as state,
                unnest($5::bool[]) as ever_approved, unnest($6::text[]) as resolved_by,
                unnest($7::text[]) as resolved_guardian, unnest($8::timestamptz[]) as resolved_at,
                unnest($9::text[]) as resolved_reason, unnest($10::uuid[]) as superseded_by,
                unnest($11::timestamptz[]) as updated_at
        ) n
        where q.app_id = $1 and q.id = n.id
        """,
        parameterTypes: [
            .text, .uuidArray, .int4Array, .textArray, .boolArray, .textArray, .textArray, .timestamptzArray,
            .textArray, .uuidArray, .timestamptzArray,
        ])

    /// The questions $3, reminded of at $2.
    static let remind = Statement(
        "question_remind",
        "update question set reminded_at = $2, updated_at = $2 where app_id = $1 and id = any($3)",
        parameterTypes: [.text, .timestamptz, .uuidArray])

    static func insertion(_ app: AppID, _ questions: [Question], at now: Instant) -> Parameters {
        var binds = Parameters(capacity: 256 * questions.count + 256)
        binds.append(app)
        binds.append(now)
        binds.column(questions, of: .uuid) { $0.append(uuid: $1.id.halves) }
        binds.column(questions, of: .uuid) { $0.append(uuid: $1.personRef.halves) }
        binds.column(questions, of: .text) { $0.append(text: $1.topic.subject) }
        binds.column(questions, of: .text) { $0.append(text: $1.topic.kind.rawValue) }
        binds.column(questions, of: .text) { $0.append(text: $1.topic.value?.text) }
        binds.column(questions, of: .text) { $0.append(text: $1.topic.joinedHandles) }
        binds.column(questions, of: .bool) { $0.append(bool: $1.topic.approvalStands) }
        binds.column(questions, of: .text) { $0.append(text: $1.description) }
        binds.column(questions, of: .text) { $0.append(text: $1.language) }
        binds.column(questions, of: .int2) { $0.append(int2: Int16(clamping: $1.quorum)) }
        binds.column(questions, of: .timestamptz) { $0.append(timestamp: $1.expiration.microseconds) }
        return binds
    }

    static func updating(_ app: AppID, _ questions: [Question]) -> Parameters {
        var binds = Parameters(capacity: 160 * questions.count + 256)
        binds.append(app)
        binds.column(questions, of: .uuid) { $0.append(uuid: $1.id.halves) }
        binds.column(questions, of: .int4) { $0.append(int4: Int32(clamping: $1.revision)) }
        binds.column(questions, of: .text) { $0.append(text: $1.state.rawValue) }
        binds.column(questions, of: .bool) { $0.append(bool: $1.everApproved) }
        binds.column(questions, of: .text) {
            $0.append(text: $1.resolution.map { ResolverName($0.by).rawValue })
        }
        binds.column(questions, of: .text) { $0.append(text: $1.resolution?.guardian?.text) }
        binds.column(questions, of: .timestamptz) { $0.append(timestamp: $1.resolution?.at.microseconds) }
        binds.column(questions, of: .text) { $0.append(text: $1.resolution?.reason) }
        binds.column(questions, of: .uuid) { $0.append(uuid: $1.supersededBy?.halves) }
        binds.column(questions, of: .timestamptz) { $0.append(timestamp: $1.updatedAt.microseconds) }
        return binds
    }
}

extension Topic {
    /// The one id a topic names; nil for communication.
    fileprivate var value: CallerID? {
        switch self {
        case .significantAppUpdate(let change): change
        case .purchase(let product): product
        case .custom(let subject, _): subject
        case .communication: nil
        }
    }

    /// Handles hold no control characters, so U+001F joins them without ambiguity.
    fileprivate var joinedHandles: String? {
        guard case .communication(let handles) = self else { return nil }
        return handles.lazy.map(\.text).joined(separator: "\u{1f}")
    }
}
