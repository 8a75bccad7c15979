import Consent
import Postgres

/// Table `store_notification`: what the stores sent.
enum StoreNotificationTable {
    /// The columns `decode` reads, of a row named `s`.
    static let columns = """
        s.id, s.store, s.uuid, s.type, s.subtype, s.environment, s.signed_date, s.received_at, s.status, s.reason, s.field,
        s.expected, s.seen, s.rescinds, s.account_id, s.person_ref
        """
    static let columnCount = 16

    /// For this transaction alone to change, in id order: those of the pairs (store $2, identity's digest $3), those with the
    /// ids $4, and the rescissions of the accounts with the digests $5. After the columns come the identity's digest, the
    /// account's, and the person's id.
    static let lock = Statement(
        "store_notification_lock",
        """
        select \(columns), s.identity, s.account, \(person) from store_notification s
        where s.app_id = $1 and s.id = any(
            array(
                select i.id from unnest($2::text[], $3::bytea[]) as n(store, identity) cross join lateral (
                    select i.id from store_notification i
                    where i.app_id = $1 and i.store = n.store collate "C" and i.identity = n.identity limit 1) i)
            || $4::uuid[]
            || array(
                select r.id from unnest($5::bytea[]) as n(digest) cross join lateral (
                    select r.id from store_notification r
                    where r.app_id = $1 and r.account = n.digest and r.rescinds and r.status <> 'quarantined'
                    offset 0) r))
        order by s.id for no key update
        """,
        parameterTypes: [.text, .textArray, .byteaArray, .uuidArray, .byteaArray])

    /// Inserts a notice, or writes anew one that was in quarantine. One that another transaction inserted meanwhile, under
    /// another id, fails the whole: then the batch is run again and finds it.
    static let put = Statement(
        "store_notification_put",
        """
        insert into store_notification (app_id, id, store, uuid, type, subtype, environment, signed_date, received_at,
            status, reason, field, expected, seen, rescinds, account_id, person_ref, identity, account, payload_hash,
            payload)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
            sha256(convert_to($20, 'UTF8')), $20)
        on conflict (app_id, id) do update set type = excluded.type, subtype = excluded.subtype,
            environment = excluded.environment, signed_date = excluded.signed_date, status = excluded.status,
            reason = excluded.reason, field = excluded.field, expected = excluded.expected, seen = excluded.seen,
            rescinds = excluded.rescinds, account_id = excluded.account_id, person_ref = excluded.person_ref,
            account = excluded.account, payload_hash = excluded.payload_hash, payload = excluded.payload
        """,
        parameterTypes: [
            .text, .uuid, .text, .text, .text, .text, .text, .timestamptz, .timestamptz, .text, .text, .text, .text,
            .text, .bool, .text, .uuid, .bytea, .bytea, .text,
        ])

    /// The rescissions $2 came to concern the persons $5: their statuses $3 and the store's ids $4.
    static let settle = Statement(
        "store_notification_settle",
        """
        update store_notification s set status = n.status, account_id = n.account_id, person_ref = n.person_ref
        from unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[]) as n(id, status, account_id, person_ref)
        where s.app_id = $1 and s.id = n.id
        """,
        parameterTypes: [.text, .uuidArray, .textArray, .textArray, .uuidArray])

    /// What else was told of accounts that have become somebody's ($2 stores, $3 environments, $4 ids, $5 persons' refs).
    static let adopt = Statement(
        "store_notification_adopt",
        """
        update store_notification s set person_ref = n.person_ref
        from (
            select r.id, n.person_ref
            from unnest($2::text[], $3::text[], $4::text[], $5::uuid[]) as n(store, environment, account, person_ref)
            cross join lateral (
                select r.id from store_notification r
                where r.app_id = $1
                    and r.account = \(StoreAccountTable.digest("n.store", "n.environment", "n.account"))
                    and r.status = 'recorded' and r.person_ref is null
                offset 0
            ) r
        ) n
        where s.app_id = $1 and s.id = n.id
        """,
        parameterTypes: [.text, .textArray, .textArray, .textArray, .uuidArray])

    /// How many there are of the status $2 that are older than $3 seconds, among the $4 that came first.
    static let countOld = Statement(
        "store_notification_count_old",
        """
        select count(*) from (
            select s.received_at from store_notification s
            where s.app_id = $1 and s.status = $2 order by s.id limit $4
        ) first
        where first.received_at < (select clock_timestamp()) - $3 * interval '1 second'
        """,
        parameterTypes: [.text, .text, .int8, .int8])

    /// Takes away those of the status $2 that came before $3, among the $4 that came first, and what was kept of the accounts
    /// that only they named.
    static let prune = Statement(
        "store_notification_prune",
        """
        with old as (
            select s.id, s.received_at from store_notification s
            where s.app_id = $1 and s.status = $2 order by s.id limit $4 for update skip locked
        ), gone as (
            delete from store_notification s using old
            where s.app_id = $1 and s.id = old.id and s.status = $2 and old.received_at < $3
            returning s.account
        )
        delete from store_account a using (select distinct g.account from gone g where g.account is not null) g
        where a.app_id = $1 and a.digest = g.account and a.person_ref is null and not exists (
            select 1 from store_notification s
            where s.app_id = $1 and s.account = g.account
                and s.id not in (select o.id from old o where o.received_at < $3)
        )
        """,
        parameterTypes: [.text, .text, .timestamptz, .int8])

    /// One with its person's id, and its payload.
    static let byID = Statement(
        "store_notification_by_id",
        """
        select \(columns), \(person), s.payload from store_notification s where s.app_id = $1 and s.id = $2
        """,
        parameterTypes: [.text, .uuid])

    private static let person = "(select p.id from person p where p.app_id = $1 and p.ref = s.person_ref)"

    /// At most $6 after the id $2 of the type $3, the status $4 and the environment $5, where they are given; one of the
    /// list's filters is the one by which rows are found.
    private static func page(found: String, type: String, status: String, environment: String) -> String {
        """
        select \(columns), \(person), null::text from store_notification s
        where s.app_id = $1 and s.id > $2\(found) and \(type) and \(status) and \(environment)
        order by s.id limit $6
        """
    }

    private static let anyType = "($3::text is null or s.type = $3)"
    private static let anyStatus = "($4::text is null or s.status = $4)"
    private static let anyEnvironment = "($5::text is null or s.environment = $5)"
    private static let pageTypes: [PostgresType] = [.text, .uuid, .text, .text, .text, .int8]

    static let all = Statement(
        "store_notification_all",
        page(found: "", type: anyType, status: anyStatus, environment: anyEnvironment),
        parameterTypes: pageTypes)

    static let ofType = Statement(
        "store_notification_of_type",
        page(found: "", type: "s.type = $3", status: anyStatus, environment: anyEnvironment),
        parameterTypes: pageTypes)

    static let ofStatus = Statement(
        "store_notification_of_status",
        page(found: "", type: anyType, status: "s.status = $4", environment: anyEnvironment),
        parameterTypes: pageTypes)

    static let ofEnvironment = Statement(
        "store_notification_of_environment",
        page(found: "", type: anyType, status: anyStatus, environment: "s.environment = $5"),
        parameterTypes: pageTypes)

    /// $7 is the person's id.
    static let ofPerson = Statement(
        "store_notification_of_person",
        page(
            found: " and s.person_ref = (select p.ref from person p where p.app_id = $1 and p.id = $7)",
            type: anyType, status: anyStatus, environment: anyEnvironment),
        parameterTypes: pageTypes + [.text])

    /// Adds the list to a flight; returns where its result is.
    static func add(
        _ app: AppID, _ filter: StoreNotificationFilter, after: Identifier?, limit: Int, to flight: inout Flight
    ) -> Int {
        var binds = Parameters()
        binds.append(app)
        binds.append(after ?? Identifier(high: 0, low: 0))
        binds.append(text: filter.type)
        binds.append(text: filter.status?.rawValue)
        binds.append(text: filter.environment?.rawValue)
        binds.append(int8: Int64(limit) + 1)
        if let person = filter.person {
            binds.append(person)
            return flight.add(ofPerson, binds)
        }
        // Nearly all are recorded, so that this says less than any type does.
        if let status = filter.status, status != .recorded || filter.type == nil { return flight.add(ofStatus, binds) }
        if filter.type != nil { return flight.add(ofType, binds) }
        return flight.add(filter.environment == nil ? all : ofEnvironment, binds)
    }

    static func decode(_ row: Row) throws(DatabaseError) -> StoreNotification {
        let store: StoreName = try row.name(1)
        let environment: OriginalVersion.Environment? = try row.nameOrNil(5)
        let account = try row.callerIDOrNil(14)
        return StoreNotification(
            id: try row.identifier(0), store: store, uuid: try row.textOrNil(2), type: try row.textOrNil(3),
            subtype: try row.textOrNil(4), environment: environment, signedDate: try row.instantOrNil(6),
            receivedAt: try row.instant(7), status: try row.name(8), quarantine: try quarantine(row, 9),
            isRescission: try row.bool(13),
            account: account.flatMap { id in
                environment.map { StoreAccount(store: store, environment: $0, id: id) }
            }, personRef: try row.identifierOrNil(15))
    }

    private static func quarantine(_ row: Row, _ first: Int) throws(DatabaseError) -> Quarantine? {
        guard let reason = try row.textOrNil(first) else { return nil }
        return Quarantine(
            reason: reason, field: try row.textOrNil(first + 1), expected: try row.textOrNil(first + 2),
            seen: try row.textOrNil(first + 3))
    }

    static func record(_ row: Row) throws(DatabaseError) -> StoreNotificationRecord {
        StoreNotificationRecord(
            notification: try decode(row), person: try row.callerIDOrNil(columnCount),
            payload: try row.bytesOrNil(columnCount + 1))
    }

    static func putting(_ app: AppID, _ kept: KeptNotice, payload: [UInt8]) -> Parameters {
        let notice = kept.notification
        var binds = Parameters(capacity: 512 + payload.count)
        binds.append(app)
        binds.append(notice.id)
        binds.append(text: notice.store.rawValue)
        binds.append(text: notice.uuid)
        binds.append(text: notice.type)
        binds.append(text: notice.subtype)
        binds.append(text: notice.environment?.rawValue)
        binds.append(timestamp: notice.signedDate?.microseconds)
        binds.append(notice.receivedAt)
        binds.append(text: notice.status.rawValue)
        binds.append(text: notice.quarantine?.reason)
        binds.append(text: notice.quarantine?.field)
        binds.append(text: notice.quarantine?.expected)
        binds.append(text: notice.quarantine?.seen)
        binds.append(bool: notice.isRescission)
        binds.append(text: notice.account?.id.text)
        binds.append(uuid: notice.personRef?.halves)
        binds.append(bytes: kept.identity)
        binds.append(bytes: kept.account?.digest)
        binds.append(text: payload)
        return binds
    }

    static func settling(_ app: AppID, _ notices: [StoreNotification]) -> Parameters {
        var binds = Parameters(capacity: 96 * notices.count + 256)
        binds.append(app)
        binds.column(notices, of: .uuid) { $0.append(uuid: $1.id.halves) }
        binds.column(notices, of: .text) { $0.append(text: $1.status.rawValue) }
        binds.column(notices, of: .text) { $0.append(text: $1.account?.id.text) }
        binds.column(notices, of: .uuid) { $0.append(uuid: $1.personRef?.halves) }
        return binds
    }

    static func adopting(_ app: AppID, _ accounts: [RegisteredAccount]) -> Parameters {
        var binds = Parameters(capacity: 96 * accounts.count + 256)
        binds.append(app)
        binds.column(accounts, of: .text) { $0.append(text: $1.account.store.rawValue) }
        binds.column(accounts, of: .text) { $0.append(text: $1.account.environment.rawValue) }
        binds.column(accounts, of: .text) { $0.append(text: $1.account.id.text) }
        binds.column(accounts, of: .uuid) { $0.append(uuid: $1.personRef.halves) }
        return binds
    }
}

/// A notice that a transaction holds, with what names it and its account in the database.
struct KeptNotice {
    var notification: StoreNotification
    /// The digest of what tells it from all others of its store.
    let identity: [UInt8]
    var account: AccountKey?
    /// Whom it concerned when it was read.
    var person: CallerID?
}

/// A notice by what tells it from all others.
struct NoticeName: Hashable {
    let store: StoreName
    /// The digest of it.
    let identity: [UInt8]
}
