import Consent
import Postgres

/// Table `idempotency`: accepted keyed requests, for 72 hours.
///
/// A key is kept as its SHA-256: callers like to make them of their persons' ids, which stand in one table alone.
enum IdempotencyTable {
    /// Those of the pairs (scope $2, key $3).
    static let ofPairs = Statement(
        "idempotency_of_pairs",
        """
        select n.scope, n.key, i.fingerprint, i.status, i.resource
        from unnest($2::text[], $3::text[]) as n(scope, key)
        cross join lateral (
            select * from idempotency i
            where i.app_id = $1 and i.scope = n.scope collate "C"
                and i.key = encode(sha256(convert_to(n.key, 'UTF8')), 'hex') collate "C" limit 1
        ) i
        """,
        parameterTypes: [.text, .textArray, .textArray])

    /// A row that another transaction wrote meanwhile fails the whole: then the batch is run again and finds it.
    static let insert = Statement(
        "idempotency_insert",
        """
        insert into idempotency (app_id, scope, key, fingerprint, status, resource, created_at)
        select $1, n.scope, encode(sha256(convert_to(n.key, 'UTF8')), 'hex'), n.fingerprint, n.status, n.resource, $2
        from (
            select unnest($3::text[]) as scope, unnest($4::text[]) as key, unnest($5::bytea[]) as fingerprint,
                unnest($6::int2[]) as status, unnest($7::text[]) as resource
        ) n
        order by n.scope collate "C", encode(sha256(convert_to(n.key, 'UTF8')), 'hex') collate "C"
        """,
        parameterTypes: [.text, .timestamptz, .textArray, .textArray, .byteaArray, .int2Array, .textArray])

    /// Whether this batch's row is there, by its moment.
    static let landed = Statement(
        "idempotency_landed",
        """
        select 1 from idempotency
        where app_id = $1 and scope = $2 and key = encode(sha256(convert_to($3, 'UTF8')), 'hex') and created_at = $4
        """,
        parameterTypes: [.text, .text, .text, .timestamptz])

    /// How many rows are older than $2 seconds; counts no further than $3.
    static let countOld = Statement(
        "idempotency_count_old",
        """
        select count(*) from (
            select 1 from idempotency
            where app_id = $1 and created_at < (select clock_timestamp()) - $2 * interval '1 second'
            order by created_at limit $3
        ) old
        """,
        parameterTypes: [.text, .int8, .int8])

    /// Takes away at most $3 rows of the app from before $2.
    static let forget = Statement(
        "idempotency_forget",
        """
        delete from idempotency i using (
            select scope, key from idempotency where app_id = $1 and created_at < $2 order by created_at limit $3
        ) old
        where i.app_id = $1 and i.scope = old.scope and i.key = old.key and i.created_at < $2
        """,
        parameterTypes: [.text, .timestamptz, .int8])

    static func decode(_ row: Row) throws(DatabaseError) -> (name: IdempotencyName, kept: KeptReply) {
        guard let resource = ResourceName(stored: try row.text(4)) else { throw row.foreign(4) }
        return (
            IdempotencyName(scope: try row.text(0), key: try row.text(1)),
            KeptReply(fingerprint: try row.bytes(2), status: Int(try row.int2(3)), resource: resource)
        )
    }

    static func insertion(_ app: AppID, _ rows: [(IdempotencyName, KeptReply)], at now: Instant) -> Parameters {
        var binds = Parameters(capacity: 160 * rows.count + 256)
        binds.append(app)
        binds.append(now)
        binds.column(rows, of: .text) { $0.append(text: $1.0.scope) }
        binds.column(rows, of: .text) { $0.append(text: $1.0.key) }
        binds.column(rows, of: .bytea) { $0.append(bytes: $1.1.fingerprint) }
        binds.column(rows, of: .int2) { $0.append(int2: Int16(clamping: $1.1.status)) }
        binds.column(rows, of: .text) { $0.append(text: $1.1.resource.stored) }
        return binds
    }
}

/// A key within its scope; both are visible ASCII.
struct IdempotencyName: Hashable {
    let scope: String
    let key: String
}

/// What is remembered of an accepted keyed request.
struct KeptReply {
    let fingerprint: [UInt8]
    let status: Int
    let resource: ResourceName
}
