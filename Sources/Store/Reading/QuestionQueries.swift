import Consent
import Postgres

/// Reads of `question` for callers; each judges expiration by the database's clock.
///
/// A statement asks the clock once: predicate and rows speak of one moment, and an index serves (bare, the function is
/// volatile and none does).
enum QuestionQueries {
    /// What `record` reads: the question, its person's id and, to be added, the moment of reading.
    private static let columns = """
        \(QuestionTable.columns), (select p.id from person p where p.app_id = $1 and p.ref = q.person_ref)
        """

    private static let clock = "with clock as materialized (select clock_timestamp() as now)"
    private static let now = "(select now from clock)"

    static let byID = Statement(
        "query_question_by_id",
        """
        select \(columns), (select clock_timestamp()) from unnest($2::uuid[]) as n(id)
        cross join lateral (select * from question q where q.app_id = $1 and q.id = n.id offset 0) q
        """,
        parameterTypes: [.text, .uuidArray])

    /// What `row` reads, the moment of reading to be added: a list names its rows, and what they hold is fetched for those
    /// that are not at hand.
    private static let names = "q.id, q.revision, q.updated_at, q.expiration"

    /// Questions of the person $9 and of those the guardian $10 is linked to; with both given, of both.
    private static let scope = """
        \(clock), mine as materialized (
            select q.* from question q where q.app_id = $1 and q.person_ref = any(array(
                select p.ref from person p
                where p.app_id = $1 and p.id = $9 and ($10::text is null or exists (
                    select 1 from guardian_link l
                    where l.app_id = $1 and l.person_ref = p.ref and l.guardian = $10))
                union all
                select l.person_ref from guardian_link l
                where l.app_id = $1 and l.guardian = $10 and $9::text is null))
        )
        """

    /// $2 topic, $3 change, $4 expiring before, $5 the lowest id.
    private static let filters = """
        q.app_id = $1 and ($2::text is null or q.topic = $2)
            and ($3::text is null or (q.topic_value = $3 and q.topic = 'significantAppUpdate'))
            and q.expiration < coalesce($4, 'infinity') and q.id >= $5
        """

    /// After the position ($6, $7) or, where that has expired, what expires after now; at most $8. One bound, not two: an
    /// index scan starts at the first it is given, and a start at the lowest of all would walk over everything overdue.
    private static let pendingPage = """
        and q.state = 'pending'
            and (q.expiration, q.id) > (greatest($6::timestamptz, \(now)),
                case when $6 > \(now) then $7::uuid else 'ffffffff-ffff-ffff-ffff-ffffffffffff' end)
        order by q.expiration, q.id limit $8
        """

    /// The state $6 (null: all), after the id $7, at most $8.
    private static let page = """
        and \(inState) and q.id > $7 order by q.id limit $8
        """

    private static let inState = """
        ($6::text is null or (q.state = $6 and ($6 <> 'pending' or q.expiration > \(now)))
            or ($6 = 'expired' and q.state = 'pending' and q.expiration <= \(now)))
        """

    private static let counted = """
        select case when q.state = 'pending' and q.expiration <= \(now) then 'expired' else q.state end, count(*)
        """

    private static let filterTypes: [PostgresType] = [.text, .text, .text, .timestamptz, .uuid]
    private static let scopeTypes: [PostgresType] = [.text, .text]

    static let pending = Statement(
        "query_pending", "\(clock) select \(names), \(now) from question q where \(filters) \(pendingPage)",
        parameterTypes: filterTypes + [.timestamptz, .uuid, .int8])

    static let pendingInScope = Statement(
        "query_pending_in_scope", "\(scope) select \(names), \(now) from mine q where \(filters) \(pendingPage)",
        parameterTypes: filterTypes + [.timestamptz, .uuid, .int8] + scopeTypes)

    static let all = Statement(
        "query_questions", "\(clock) select \(names), \(now) from question q where \(filters) \(page)",
        parameterTypes: filterTypes + [.text, .uuid, .int8])

    static let allInScope = Statement(
        "query_questions_in_scope", "\(scope) select \(names), \(now) from mine q where \(filters) \(page)",
        parameterTypes: filterTypes + [.text, .uuid, .int8] + scopeTypes)

    static let counts = Statement(
        "query_counts", "\(clock) \(counted) from question q where \(filters) and \(inState) group by 1",
        parameterTypes: filterTypes + [.text])

    /// $7 and $8 are not used, so that the scope's binds have one place.
    static let countsInScope = Statement(
        "query_counts_in_scope",
        """
        \(scope) \(counted) from mine q
        where \(filters) and \(inState) and $7::uuid is null and $8::int8 is null group by 1
        """,
        parameterTypes: filterTypes + [.text, .uuid, .int8] + scopeTypes)

    /// At most $2 of the app's pending questions whose expiration has passed, after the position ($3, $4).
    static let overdue = Statement(
        "query_overdue",
        """
        select q.expiration, q.id from question q
        where q.app_id = $1 and q.state = 'pending' and q.expiration <= (select clock_timestamp())
            and (q.expiration, q.id) > ($3, $4)
        order by q.expiration, q.id limit $2
        """,
        parameterTypes: [.text, .int8, .timestamptz, .uuid])

    /// The $2 pending questions of the app after the position ($3, $4), and whether each is about the change $5: so each
    /// look has a bound of its own, however few there are of that change.
    static let pendingAbout = Statement(
        "query_pending_about",
        """
        select q.expiration, q.id, q.topic = 'significantAppUpdate' and q.topic_value = $5 from question q
        where q.app_id = $1 and q.state = 'pending' and (q.expiration, q.id) > ($3, $4)
        order by q.expiration, q.id limit $2
        """,
        parameterTypes: [.text, .int8, .timestamptz, .uuid, .text])

    /// At most $2 of the app's pending questions that nobody was reminded of and whose reminder, $5 seconds before the
    /// expiration and after the creation, has come; after the position ($3, $4).
    static let dueReminders = Statement(
        "query_due_reminders",
        """
        \(clock) select q.expiration, q.id from question q
        where q.app_id = $1 and q.state = 'pending'
            and q.expiration <= (select now + $5 * interval '1 second' from clock)
            and (q.expiration, q.id) > (greatest($3::timestamptz, \(now)), $4)
            and q.reminded_at is null and q.expiration > q.created_at + $5 * interval '1 second'
        order by q.expiration, q.id limit $2
        """,
        parameterTypes: [.text, .int8, .timestamptz, .uuid, .int8])

    /// Each app that has pending questions with its next expiration: the one look across apps.
    static let expirations = Statement(
        "query_expirations",
        """
        select a.id, n.expiration from app a cross join lateral (
            select q.expiration from question q where q.app_id = a.id and q.state = 'pending'
            order by q.expiration limit 1
        ) n
        """)

    static func add(
        _ app: AppID, _ filter: QuestionFilter, after: QuestionPosition?, limit: Int, to flight: inout Flight
    ) -> Int {
        var binds = filterBinds(app, filter)
        if filter.state == .pending {
            binds.append(timestamp: after?.expiration?.microseconds ?? .min)
        } else {
            binds.append(text: filter.state?.rawValue)
        }
        binds.append(after?.id ?? Identifier(high: 0, low: 0))
        binds.append(int8: Int64(limit) + 1)
        guard filter.isScoped else { return flight.add(filter.state == .pending ? pending : all, binds) }
        binds.append(text: filter.person?.text)
        binds.append(text: filter.guardian?.text)
        return flight.add(filter.state == .pending ? pendingInScope : allInScope, binds)
    }

    static func addCounts(_ app: AppID, _ filter: QuestionFilter, to flight: inout Flight) -> Int {
        var binds = filterBinds(app, filter)
        binds.append(text: filter.state?.rawValue)
        guard filter.isScoped else { return flight.add(counts, binds) }
        binds.appendNull()
        binds.appendNull()
        binds.append(text: filter.person?.text)
        binds.append(text: filter.guardian?.text)
        return flight.add(countsInScope, binds)
    }

    private static func filterBinds(_ app: AppID, _ filter: QuestionFilter) -> Parameters {
        var binds = Parameters(capacity: 256)
        binds.append(app)
        binds.append(text: filter.topic?.rawValue)
        binds.append(text: filter.change?.text)
        binds.append(timestamp: filter.expiringBefore?.microseconds)
        let lowest = filter.createdAfter.map { Identifier(lowestAt: Instant(microseconds: $0.microseconds + 1)) }
        binds.append(lowest ?? Identifier(high: 0, low: 0))
        return binds
    }

    /// `isShared`: for a record that is kept for later replies too.
    static func record(_ row: Row, _ app: AppID, isShared: Bool = false) throws(DatabaseError) -> QuestionRecord {
        let question = try QuestionTable.decode(row)
        let readAt = try row.instant(QuestionTable.columnCount + 1)
        return QuestionRecord(
            app: app, person: try row.callerIDOrNil(QuestionTable.columnCount),
            question: question.effective(at: readAt), readAt: readAt, rendering: isShared ? SharedBytes() : nil)
    }

    static func row(_ row: Row) throws(DatabaseError) -> QuestionRow {
        QuestionRow(
            id: try row.identifier(0), revision: Int(try row.int4(1)), updatedAt: try row.instant(2),
            readAt: try row.instant(4))
    }

    /// The position after the last of `limit` rows, when the result has one more.
    static func next(
        _ result: ResultSet, _ filter: QuestionFilter, limit: Int
    ) throws(DatabaseError) -> QuestionPosition? {
        guard result.count > limit, limit > 0 else { return nil }
        let last = result[limit - 1]
        return QuestionPosition(
            expiration: filter.state == .pending ? try last.instant(3) : nil, id: try last.identifier(0))
    }
}

extension QuestionFilter {
    /// Whether the questions of some persons are meant, not the whole app's.
    fileprivate var isScoped: Bool { person != nil || guardian != nil }
}
