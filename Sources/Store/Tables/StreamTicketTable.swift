import Consent
import Postgres

/// Table `stream_ticket`: tickets that nobody has used yet.
enum StreamTicketTable {
    /// Those of the app that are to be used, for this transaction alone: of two who come with one ticket the later finds none.
    static let lock = Statement(
        "stream_ticket_lock",
        """
        select t.hash, t.key_id, t.person_ref, t.question_id, t.types, t.expires_at, p.id, t.holder, t.guardian, t.ends_at
        from stream_ticket t left join person p on p.app_id = t.app_id and p.ref = t.person_ref
        where t.app_id = $1 and t.hash = any($2) order by t.hash for update of t
        """,
        parameterTypes: [.text, .byteaArray])

    /// A batch that is run again may meet its own row.
    static let insert = Statement(
        "stream_ticket_insert",
        """
        insert into stream_ticket (app_id, hash, key_id, person_ref, question_id, types, expires_at, holder, guardian,
            ends_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        on conflict do nothing
        """,
        parameterTypes: [
            .text, .bytea, .uuid, .uuid, .uuid, .textArray, .timestamptz, .uuid, .text, .timestamptz,
        ])

    static let use = Statement(
        "stream_ticket_use", "delete from stream_ticket where app_id = $1 and hash = any($2)",
        parameterTypes: [.text, .byteaArray])

    /// How many can be used no more; counts no further than $2.
    static let countOld = Statement(
        "stream_ticket_count_old",
        """
        select count(*) from (
            select 1 from stream_ticket where app_id = $1 and expires_at <= (select clock_timestamp())
            order by expires_at limit $2
        ) old
        """,
        parameterTypes: [.text, .int8])

    /// Takes away at most $3 that could be used until $2 at the latest.
    static let prune = Statement(
        "stream_ticket_prune",
        """
        delete from stream_ticket t using (
            select hash from stream_ticket where app_id = $1 and expires_at <= $2 order by expires_at limit $3
        ) old
        where t.app_id = $1 and t.hash = old.hash
        """,
        parameterTypes: [.text, .timestamptz, .int8])

    static func decode(_ row: Row) throws(DatabaseError) -> HeldTicket {
        var types: [EventType]?
        if let names = try row.plainTextsOrNil(4) {
            types = []
            for name in names {
                guard let type = EventType(rawValue: name) else { throw row.foreign(4) }
                types?.append(type)
            }
        }
        var token: TokenTerms?
        if let holder = try row.identifierOrNil(7) {
            token = TokenTerms(holder: holder, guardian: try row.callerIDOrNil(8), endsAt: try row.instant(9))
        }
        let ticket = StreamTicket(
            hash: try row.bytes(0), key: try row.identifier(1), token: token, personRef: try row.identifierOrNil(2),
            question: try row.identifierOrNil(3), types: types)
        return HeldTicket(ticket: ticket, person: try row.callerIDOrNil(6), expiresAt: try row.instant(5))
    }

    static func insertion(_ app: AppID, _ ticket: StreamTicket, until end: Instant) -> Parameters {
        var binds = Parameters(capacity: 256)
        binds.append(app)
        binds.append(bytes: ticket.hash)
        binds.append(ticket.key)
        binds.append(uuid: ticket.personRef?.halves)
        binds.append(uuid: ticket.question?.halves)
        if let types = ticket.types {
            binds.append(texts: types.map(\.rawValue).sorted())
        } else {
            binds.appendNull()
        }
        binds.append(end)
        binds.append(uuid: ticket.token?.holder.halves)
        binds.append(text: ticket.token?.guardian?.text)
        binds.append(timestamp: ticket.token?.endsAt.microseconds)
        return binds
    }
}

/// A ticket whose row this transaction holds.
struct HeldTicket {
    let ticket: StreamTicket
    let person: CallerID?
    let expiresAt: Instant
}
