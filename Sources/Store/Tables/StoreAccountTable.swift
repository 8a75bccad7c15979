import Consent
import Postgres

/// Table `store_account`: the stores' ids, each by its digest, with the person whose it is.
enum StoreAccountTable {
    private static let columns = """
        a.store, a.environment, a.digest, a.id, a.person_ref, a.registered_at, a.signed_at, a.platform, a.signals_status,
        a.change_status
        """

    /// The keys of a batch: the accounts that its commands name ($2 stores, $3 environments, $4 ids), those that the notices
    /// $5 are about, and those of the persons $6, who are to be erased.
    private static let keys = """
        select n.store, n.environment, \(digest("n.store", "n.environment", "n.id")) as digest
        from unnest($2::text[], $3::text[], $4::text[]) as n(store, environment, id)
        union
        select s.store, s.environment, s.account from unnest($5::uuid[]) as n(id)
        cross join lateral (
            select * from store_notification s where s.app_id = $1 and s.id = n.id and s.account is not null limit 1
        ) s
        union
        select a.store, a.environment, a.digest from unnest($6::text[]) as n(id)
        cross join lateral (
            select p.ref from person p where p.app_id = $1 and p.id = n.id collate "C" limit 1
        ) p
        cross join lateral (
            select * from store_account a where a.app_id = $1 and a.person_ref = p.ref offset 0
        ) a
        """

    private static let keyTypes: [PostgresType] = [.text, .textArray, .textArray, .textArray, .uuidArray, .textArray]

    /// The SHA-256 of bytes, in the order given.
    static let digests = Statement(
        "store_account_digests",
        """
        select sha256(n.bytes) from unnest($1::bytea[]) with ordinality as n(bytes, number) order by n.number
        """,
        parameterTypes: [.byteaArray])

    /// Makes sure of a row for every key, in key order as everybody does; returns the keys it made.
    static let ensure = Statement(
        "store_account_ensure",
        """
        insert into store_account (app_id, store, environment, digest)
        select $1, k.store, k.environment, k.digest from (\(keys)) k
        order by k.digest
        on conflict (app_id, digest) do nothing
        returning digest
        """,
        parameterTypes: keyTypes)

    /// The rows of the keys, for this transaction alone to change, in key order.
    static let lock = Statement(
        "store_account_lock",
        """
        select \(columns) from store_account a
        where a.app_id = $1 and a.digest = any(array(select k.digest from (\(keys)) k))
        order by a.digest for no key update
        """,
        parameterTypes: keyTypes)

    /// Whose the accounts of the keys are: their persons' ids and refs.
    static let persons = Statement(
        "store_account_persons",
        """
        select distinct p.id, p.ref from (\(keys)) k
        cross join lateral (
            select a.person_ref from store_account a where a.app_id = $1 and a.digest = k.digest limit 1
        ) a
        cross join lateral (select p.id, p.ref from person p where p.app_id = $1 and p.ref = a.person_ref limit 1) p
        """,
        parameterTypes: keyTypes)

    /// All accounts of the persons with the ids $2, as they were registered.
    static let ofPersons = Statement(
        "store_account_of_persons",
        """
        select \(columns) from unnest($2::text[]) as n(id)
        cross join lateral (
            select p.ref from person p where p.app_id = $1 and p.id = n.id collate "C" limit 1
        ) p
        cross join lateral (
            select * from store_account a where a.app_id = $1 and a.person_ref = p.ref offset 0
        ) a
        order by a.registered_at, a.digest
        """,
        parameterTypes: [.text, .textArray])

    /// Writes registered accounts; their rows are there and locked.
    static let put = Statement(
        "store_account_put",
        """
        update store_account a set id = n.id, person_ref = n.person_ref, registered_at = n.registered_at,
            signed_at = n.signed_at, platform = n.platform, signals_status = n.signals_status,
            change_status = n.change_status
        from unnest($2::text[], $3::text[], $4::text[], $5::uuid[], $6::timestamptz[], $7::timestamptz[], $8::text[],
            $9::text[], $10::text[])
            as n(store, environment, id, person_ref, registered_at, signed_at, platform, signals_status, change_status)
        where a.app_id = $1 and a.digest = \(digest("n.store", "n.environment", "n.id"))
        """,
        parameterTypes: [
            .text, .textArray, .textArray, .textArray, .uuidArray, .timestamptzArray, .timestamptzArray, .textArray,
            .textArray, .textArray,
        ])

    /// Takes back the rows $2 that nobody came to use.
    static let discard = Statement(
        "store_account_discard",
        """
        delete from store_account a where a.app_id = $1 and a.digest = any($2) and a.person_ref is null
        """,
        parameterTypes: [.text, .byteaArray])

    /// What the keys say of a store, an environment and an id.
    static func digest(_ store: String, _ environment: String, _ id: String) -> String {
        "sha256(convert_to(\(store) || chr(31) || \(environment) || chr(31) || \(id), 'UTF8'))"
    }

    static func key(_ row: Row) throws(DatabaseError) -> AccountKey { AccountKey(digest: try row.bytes(2)) }

    static func held(_ row: Row) throws(DatabaseError) -> HeldAccount {
        HeldAccount(registered: try decode(row), signedAt: try row.instantOrNil(6))
    }

    /// The account of a row; nil where it is nobody's.
    static func decode(_ row: Row) throws(DatabaseError) -> RegisteredAccount? {
        guard let id = try row.callerIDOrNil(3) else { return nil }
        return RegisteredAccount(
            account: StoreAccount(store: try row.name(0), environment: try row.name(1), id: id),
            personRef: try row.identifier(4), registeredAt: try row.instant(5), signedAt: try row.instantOrNil(6),
            platform: try row.textOrNil(7), signalsStatus: try row.textOrNil(8), changeStatus: try row.textOrNil(9))
    }

    static func putting(_ app: AppID, _ accounts: [RegisteredAccount]) -> Parameters {
        var binds = Parameters(capacity: 128 * accounts.count + 256)
        binds.append(app)
        binds.column(accounts, of: .text) { $0.append(text: $1.account.store.rawValue) }
        binds.column(accounts, of: .text) { $0.append(text: $1.account.environment.rawValue) }
        binds.column(accounts, of: .text) { $0.append(text: $1.account.id.text) }
        binds.column(accounts, of: .uuid) { $0.append(uuid: $1.personRef.halves) }
        binds.column(accounts, of: .timestamptz) { $0.append(timestamp: $1.registeredAt.microseconds) }
        binds.column(accounts, of: .timestamptz) { $0.append(timestamp: $1.signedAt?.microseconds) }
        binds.column(accounts, of: .text) { $0.append(text: $1.platform) }
        binds.column(accounts, of: .text) { $0.append(text: $1.signalsStatus) }
        binds.column(accounts, of: .text) { $0.append(text: $1.changeStatus) }
        return binds
    }

    static func discarding(_ app: AppID, _ keys: [AccountKey]) -> Parameters {
        var binds = Parameters(capacity: 40 * keys.count + 64)
        binds.append(app)
        binds.column(keys, of: .bytea) { $0.append(bytes: $1.digest) }
        return binds
    }
}

/// A store's id that a transaction holds.
struct HeldAccount {
    /// Nil while it is nobody's.
    var registered: RegisteredAccount?
    /// The latest signature, also one that outlived an erased person.
    var signedAt: Instant?
}

/// A store's id as the database names it, also where the id itself was erased.
struct AccountKey: Hashable, Comparable {
    /// SHA-256, 32 bytes.
    let digest: [UInt8]

    static func < (left: AccountKey, right: AccountKey) -> Bool {
        left.digest.lexicographicallyPrecedes(right.digest)
    }
}
