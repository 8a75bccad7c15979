import Consent
import Postgres

/// Table `person`: the one place of the callers' person ids.
enum PersonTable {
    /// The columns `decode` reads, of a row named `p`, in its order.
    static let columns = """
        p.id, p.ref, p.age_kind, p.age_lower, p.age_upper, p.age_declaration, p.duties_kind, p.duties, p.original_value,
        p.original_kind, p.original_environment, p.region, p.ever_linked, p.revision, p.created_at, p.updated_at,
        p.rescinded_at, p.returned_at
        """
    static let columnCount = 18

    static let byID = Statement(
        "person_by_id",
        "select \(columns) from person p where p.app_id = $1 and p.id = $2", parameterTypes: [.text, .text])

    static let byRef = Statement(
        "person_by_ref", "select 1 from person p where p.app_id = $1 and p.ref = $2", parameterTypes: [.text, .uuid])

    /// Inserts the persons $2 that are not there yet, with the refs $3, in the order given, which is the one all batches insert
    /// and lock in; returns the ids of those it inserted, and as of when.
    static let ensure = Statement(
        "person_ensure",
        """
        insert into person (app_id, id, ref, age_kind, duties_kind, ever_linked, revision, created_at, updated_at)
        select $1, n.id, n.ref, 'notTold', 'notTold', false, 1, t.at, t.at
        from (select unnest($2::text[]) as id, unnest($3::uuid[]) as ref) n, (select clock_timestamp() as at) t
        on conflict (app_id, id) do nothing
        returning id, created_at
        """,
        parameterTypes: [.text, .textArray, .uuidArray])

    /// Locks the persons with the ids $2 and those whom the questions $3 are about, in id order, and reads them. Somebody whose ref
    /// is the one in $4 came with this batch: their row is locked and known already.
    static let lock = Statement(
        "person_lock",
        """
        select \(columns) from person p
        where p.app_id = $1 and p.ref = any(
            array(
                select a.ref from (select unnest($2::text[]) as id, unnest($4::uuid[]) as own) n cross join lateral (
                    select a.ref from person a
                    where a.app_id = $1 and a.id = n.id collate "C" and a.ref is distinct from n.own offset 0) a)
            || array(
                select q.person_ref from unnest($3::uuid[]) as n(id) cross join lateral (
                    select q.person_ref from question q where q.app_id = $1 and q.id = n.id offset 0) q))
        order by p.id for no key update
        """,
        parameterTypes: [.text, .textArray, .uuidArray, .uuidArray])

    /// Inserts persons $2 with the refs $3 as of $4, of whom nothing is known: somebody new under an erased person's id.
    static let insert = Statement(
        "person_insert",
        """
        insert into person (app_id, id, ref, age_kind, duties_kind, ever_linked, revision, created_at, updated_at)
        select $1, n.id, n.ref, 'notTold', 'notTold', false, 1, $4, $4 from unnest($2::text[], $3::uuid[]) as n(id, ref)
        """,
        parameterTypes: [.text, .textArray, .uuidArray, .timestamptz])

    /// Takes back rows that this transaction inserted for commands that were then refused.
    static let discard = Statement(
        "person_discard", "delete from person where app_id = $1 and id = any($2)", parameterTypes: [.text, .textArray])

    static let update = Statement(
        "person_update",
        """
        update person p set age_kind = n.age_kind, age_lower = n.age_lower, age_upper = n.age_upper,
            age_declaration = n.age_declaration, duties_kind = n.duties_kind,
            duties = string_to_array(n.duties, chr(31)), original_value = n.original_value,
            original_kind = n.original_kind, original_environment = n.original_environment, region = n.region,
            ever_linked = n.ever_linked, revision = n.revision, updated_at = n.updated_at,
            rescinded_at = n.rescinded_at, returned_at = n.returned_at
        from (
            select unnest($2::text[]) as id, unnest($3::text[]) as age_kind, unnest($4::int2[]) as age_lower,
                unnest($5::int2[]) as age_upper, unnest($6::text[]) as age_declaration,
                unnest($7::text[]) as duties_kind, unnest($8::text[]) as duties,
                unnest($9::text[]) as original_value, unnest($10::text[]) as original_kind,
                unnest($11::text[]) as original_environment, unnest($12::text[]) as region,
                unnest($13::bool[]) as ever_linked, unnest($14::int4[]) as revision,
                unnest($15::timestamptz[]) as updated_at, unnest($16::timestamptz[]) as rescinded_at,
                unnest($17::timestamptz[]) as returned_at
        ) n
        where p.app_id = $1 and p.id = n.id
        """,
        parameterTypes: [
            .text, .textArray, .textArray, .int2Array, .int2Array, .textArray, .textArray, .textArray, .textArray,
            .textArray, .textArray, .textArray, .boolArray, .int4Array, .timestamptzArray, .timestamptzArray,
            .timestamptzArray,
        ])

    static func decode(_ row: Row, from first: Int = 0) throws(DatabaseError) -> Person {
        Person(
            id: try row.callerID(first), ref: try row.identifier(first + 1), facts: try facts(row, first + 2),
            revision: Int(try row.int4(first + 13)), createdAt: try row.instant(first + 14),
            updatedAt: try row.instant(first + 15), everLinked: try row.bool(first + 12),
            rescindedAt: try row.instantOrNil(first + 16), returnedAt: try row.instantOrNil(first + 17))
    }

    /// What is known of somebody: ten columns, from `age_kind` to `region`.
    static func facts(_ row: Row, _ first: Int) throws(DatabaseError) -> PersonFacts {
        PersonFacts(
            ageRange: try ageRange(row, first), duties: try duties(row, first + 4),
            original: try original(row, first + 6), region: try row.textOrNil(first + 9))
    }

    private static func ageRange(_ row: Row, _ first: Int) throws(DatabaseError) -> AgeRange {
        switch try row.name(first, as: AgeKind.self) {
        case .notTold: return .notTold
        case .declined: return .declined
        case .range:
            return .range(
                lower: try row.int2OrNil(first + 1).map(Int.init), upper: try row.int2OrNil(first + 2).map(Int.init),
                declaration: try row.textOrNil(first + 3))
        }
    }

    private static func duties(_ row: Row, _ first: Int) throws(DatabaseError) -> RegulatoryFeatures {
        switch try row.name(first, as: DutiesKind.self) {
        case .notTold: .notTold
        case .unavailable: .unavailable
        case .unsupported: .unsupported
        case .features: .features(try row.plainTextsOrNil(first + 1) ?? [])
        }
    }

    private static func original(_ row: Row, _ first: Int) throws(DatabaseError) -> OriginalVersion? {
        guard let value = try row.textOrNil(first) else { return nil }
        return OriginalVersion(value: value, kind: try row.name(first + 1), environment: try row.name(first + 2))
    }

    static func updating(_ app: AppID, _ persons: [Person]) -> Parameters {
        var binds = Parameters(capacity: 200 * persons.count + 256)
        binds.append(app)
        binds.column(persons, of: .text) { $0.append(text: $1.id.text) }
        binds.appendFacts(of: persons) { $0.facts }
        binds.column(persons, of: .bool) { $0.append(bool: $1.everLinked) }
        binds.column(persons, of: .int4) { $0.append(int4: Int32(clamping: $1.revision)) }
        binds.column(persons, of: .timestamptz) { $0.append(timestamp: $1.updatedAt.microseconds) }
        binds.column(persons, of: .timestamptz) { $0.append(timestamp: $1.rescindedAt?.microseconds) }
        binds.column(persons, of: .timestamptz) { $0.append(timestamp: $1.returnedAt?.microseconds) }
        return binds
    }
}

extension Parameters {
    /// The columns of what is known of somebody, from `age_kind` to `region`, as arrays.
    mutating func appendFacts<Element>(of rows: [Element], _ facts: (Element) -> PersonFacts) {
        let all = rows.map(facts)
        column(all, of: .text) { $0.append(text: AgeKind($1.ageRange).rawValue) }
        column(all, of: .int2) { $0.append(int2: $1.ageRange.columns.lower.map(Int16.init(clamping:))) }
        column(all, of: .int2) { $0.append(int2: $1.ageRange.columns.upper.map(Int16.init(clamping:))) }
        column(all, of: .text) { $0.append(text: $1.ageRange.columns.declaration) }
        column(all, of: .text) { $0.append(text: DutiesKind($1.duties).rawValue) }
        column(all, of: .text) { $0.append(text: $1.duties.joined) }
        column(all, of: .text) { $0.append(text: $1.original?.value) }
        column(all, of: .text) { $0.append(text: $1.original?.kind.rawValue) }
        column(all, of: .text) { $0.append(text: $1.original?.environment.rawValue) }
        column(all, of: .text) { $0.append(text: $1.region) }
    }
}

/// How an age range is known, as a column.
enum AgeKind: String {
    case notTold, declined, range

    init(_ range: AgeRange) {
        switch range {
        case .notTold: self = .notTold
        case .declined: self = .declined
        case .range: self = .range
        }
    }
}

/// How the duties are known, as a column.
enum DutiesKind: String {
    case notTold, unavailable, unsupported, features

    init(_ duties: RegulatoryFeatures) {
        switch duties {
        case .notTold: self = .notTold
        case .unavailable: self = .unavailable
        case .unsupported: self = .unsupported
        case .features: self = .features
        }
    }
}

extension AgeRange {
    fileprivate var columns: (lower: Int?, upper: Int?, declaration: String?) {
        switch self {
        case .notTold, .declined: (nil, nil, nil)
        case .range(let lower, let upper, let declaration): (lower, upper, declaration)
        }
    }
}

extension RegulatoryFeatures {
    /// Names hold no control characters, so U+001F joins them; the empty set is the empty text.
    fileprivate var joined: String? {
        switch self {
        case .notTold, .unavailable, .unsupported: nil
        case .features(let names): names.joined(separator: "\u{1f}")
        }
    }
}
