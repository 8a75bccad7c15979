import Consent
import Postgres

/// What an erased person's rows become, table by table: everything that a caller wrote about them goes, and what happened
/// stays, under the person's ref.
///
/// A guardian's id tells whose child it was, so it goes too. Evidence needs to know that two approvals were of two
/// guardians: each becomes a name of its own, made with a salt that is thrown away.
struct Erasure {
    let personRef: Identifier
    let person: CallerID
    /// The stores' accounts that were the person's, whoever's they are by now.
    private let accounts: [AccountKey]
    private let returnedAt: Instant?
    /// 16 random bytes, for this erasure alone.
    private let salt: [UInt8]

    init(_ person: Person, _ accounts: [AccountKey]) {
        personRef = person.ref
        self.accounts = accounts.sorted()
        returnedAt = person.returnedAt
        self.person = person.id
        var generator = SystemRandomNumberGenerator()
        salt = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Adds what is to be done before the batch's own events are written.
    func addRows(_ app: AppID, at now: Instant, to flight: inout Flight) {
        var named = binds(app)
        named.append(bytes: salt)
        flight.add(Self.answers, named)
        named.append(now)
        flight.add(Self.questions, named)
        flight.add(Self.links, binds(app))
        flight.add(Self.rescissions, binds(app))
        var keys = binds(app)
        keys.column(accounts, of: .bytea) { $0.append(bytes: $1.digest) }
        flight.add(Self.notices, keys)
        flight.add(Self.unneededAccounts, binds(app))
        var returned = binds(app)
        returned.append(timestamp: returnedAt?.microseconds)
        flight.add(Self.storeAccounts, returned)
        var resources = Parameters()
        resources.append(app)
        resources.append(person)
        flight.add(Self.replies, resources)
    }

    /// Adds what is to be done after it: the log holds this batch's events about the person too.
    func addEvents(_ app: AppID, to flight: inout Flight) {
        var named = binds(app)
        named.append(bytes: salt)
        flight.add(Self.events, named)
    }

    /// Takes the person's own row away.
    func addPerson(_ app: AppID, to flight: inout Flight) {
        flight.add(Self.row, binds(app))
    }

    private func binds(_ app: AppID) -> Parameters {
        var binds = Parameters()
        binds.append(app)
        binds.append(personRef)
        return binds
    }

    /// A guardian's new name; $3 is the salt.
    private static func name(_ guardian: String) -> String {
        "'erased-' || substring(encode(sha256($3::bytea || convert_to(\(guardian), 'UTF8')), 'hex') for 16)"
    }

    static let row = Statement(
        "erase_person", "delete from person where app_id = $1 and ref = $2", parameterTypes: [.text, .uuid])

    /// Of a topic only a change stays: it is the app's. The revision rises, because what is shown of the question changes.
    static let questions = Statement(
        "erase_questions",
        """
        update question q set description = 'erased',
            topic_value = case when topic in ('purchase', 'custom') then 'erased' else topic_value end,
            handles = case when topic = 'communication' then array['erased'] end,
            subject = case when topic = 'significantAppUpdate' then subject else substring(sha256('erased') for 16) end,
            resolved_guardian = \(name("resolved_guardian")), resolved_reason = null, revision = revision + 1,
            updated_at = $4
        where q.app_id = $1 and q.person_ref = $2
        """,
        parameterTypes: [.text, .uuid, .bytea, .timestamptz])

    static let answers = Statement(
        "erase_answers",
        """
        update answer a set guardian = \(name("a.guardian")), reason = null, verification_reference = null
        from (select q.id from question q where q.app_id = $1 and q.person_ref = $2 offset 0) q
        where a.app_id = $1 and a.question_id = q.id
        """,
        parameterTypes: [.text, .uuid, .bytea])

    static let links = Statement(
        "erase_links", "delete from guardian_link where app_id = $1 and person_ref = $2",
        parameterTypes: [.text, .uuid])

    static let rescissions = Statement(
        "erase_rescissions",
        "update rescission set reason = null where app_id = $1 and person_ref = $2 and reason is not null",
        parameterTypes: [.text, .uuid])

    /// What stores sent about the person goes; what it was, when, and its hash stay. A rescission is not forgotten: it is found
    /// by the digest of the account, whoever registers that.
    static let notices = Statement(
        "erase_store_notifications",
        """
        update store_notification s set payload = null, account_id = null
        where s.app_id = $1 and s.id = any(
            array(select p.id from store_notification p where p.app_id = $1 and p.person_ref = $2)
            || array(
                select a.id from (
                    select n.digest from unnest($3::bytea[]) as n(digest)
                    union
                    select a.digest from store_account a where a.app_id = $1 and a.person_ref = $2
                ) n
                cross join lateral (
                    select a.id from store_notification a where a.app_id = $1 and a.account = n.digest offset 0
                ) a
            ))
        """,
        parameterTypes: [.text, .uuid, .byteaArray])

    /// Accounts of which no store ever said anything that would have to be remembered.
    static let unneededAccounts = Statement(
        "erase_unneeded_accounts",
        """
        delete from store_account a
        where a.app_id = $1 and a.person_ref = $2 and not exists (
            select 1 from store_notification s
            where s.app_id = $1 and s.account = a.digest and s.rescinds
        )
        """,
        parameterTypes: [.text, .uuid])

    /// Of the others the digest stays, and when the household was last known to be there ($3).
    static let storeAccounts = Statement(
        "erase_store_accounts",
        """
        update store_account a set id = null, person_ref = null, registered_at = null, platform = null,
            signals_status = null, change_status = null, signed_at = greatest(a.signed_at, $3)
        where a.app_id = $1 and a.person_ref = $2
        """,
        parameterTypes: [.text, .uuid, .timestamptz])

    /// Kept replies whose resource has the id $2 in its name, whoever or whatever it is the id of: without its kept reply
    /// a repeat is decided anew, on facts that say the same.
    static let replies = Statement(
        "erase_replies",
        """
        delete from idempotency i
        where i.app_id = $1 and $2 = any(string_to_array(i.resource, chr(31)) collate "C")
        """,
        parameterTypes: [.text, .text])

    static let events = Statement(
        "erase_events",
        """
        update event e set data = ((o.data - 'reason')
            || case when o.data ? 'guardian' then jsonb_build_object('guardian', \(name("o.data ->> 'guardian'")))
                else '{}' end
            || case when o.data ? 'answer' then jsonb_build_object('answer', (o.data -> 'answer') - 'reason'
                - 'reference' || jsonb_build_object('guardian', \(name("o.data -> 'answer' ->> 'guardian'"))))
                else '{}' end
            || case when o.data #> '{on,answers}' is not null then jsonb_build_object('on', (o.data -> 'on')
                || jsonb_build_object('answers', (
                    select jsonb_agg(a || jsonb_build_object('guardian', \(name("a ->> 'guardian'"))) order by n)
                    from jsonb_array_elements(o.data #> '{on,answers}') with ordinality as e(a, n))))
                else '{}' end)::json
        from (
            select p.seq, p.data::jsonb as data from event p
            where p.app_id = $1 and p.person_ref = $2 and p.data is not null offset 0
        ) o
        where e.app_id = $1 and e.seq = o.seq and o.data ?| array['reason', 'guardian', 'answer', 'on']
        """,
        parameterTypes: [.text, .uuid, .bytea])

    static let all = [
        row, questions, answers, links, rescissions, notices, unneededAccounts, storeAccounts, replies, events,
    ]
}
