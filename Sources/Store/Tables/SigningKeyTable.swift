import Consent
import Postgres

/// Table `signing_key`: of no app.
enum SigningKeyTable {
    static let all = Statement(
        "signing_key_all",
        """
        select k.id, k.public_key, k.sealed_key, k.created_at, k.signs_from from signing_key k
        order by k.signs_from, k.id
        """)

    /// Adds a key unless another follows the same one already, and takes away those that nobody has needed for a day; with $6 all
    /// others. Run twice it does the same, so it may stand among reads. Returns a row where the key is there.
    static let add = Statement(
        "signing_key_add",
        """
        with fresh as (
            insert into signing_key as k (id, public_key, sealed_key, follows, created_at, signs_from)
            select $1, $2, $3, $4, n.now, n.now + $5 * interval '1 second' from (select clock_timestamp() as now) n
            on conflict do nothing
            returning k.id
        ),
        gone as (
            delete from signing_key k
            where k.id <> $1 and exists (select 1 from fresh) and ($6 or exists (
                select 1 from signing_key n
                where n.follows = k.id and n.signs_from < clock_timestamp() - interval '1 day'
            ))
        )
        select f.id from fresh f union select k.id from signing_key k where k.id = $1
        """,
        parameterTypes: [.uuid, .bytea, .bytea, .uuid, .int8, .bool])

    static func adding(_ key: NewSigningKey) -> Parameters {
        var binds = Parameters(capacity: 512)
        binds.append(key.id)
        binds.append(bytes: key.publicPoint)
        binds.append(bytes: key.sealedKey)
        binds.append(uuid: key.follows?.halves)
        binds.append(int8: Int64(key.leadSeconds))
        binds.append(bool: key.replacesAll)
        return binds
    }

    static func decode(_ row: Row) throws(DatabaseError) -> StoredSigningKey {
        StoredSigningKey(
            id: try row.identifier(0), publicPoint: try row.bytes(1), sealedKey: try row.bytes(2),
            createdAt: try row.instant(3), signsFrom: try row.instant(4))
    }
}
