import Consent
import Postgres

/// Table `guardian_link`: who answers for whom.
enum GuardianLinkTable {
    /// Links of the persons with the ids $2, of whom nobody ever linked has any, and of those whom the questions $3 are about.
    static let ofBatch = Statement(
        "guardian_link_of_batch",
        """
        select l.person_ref, l.guardian, l.created_at
        from (
            select p.ref from unnest($2::text[]) as n(id) cross join lateral (
                select p.ref from person p
                where p.app_id = $1 and p.id = n.id collate "C" and p.ever_linked offset 0) p
            union
            select q.person_ref from unnest($3::uuid[]) as n(id) cross join lateral (
                select q.person_ref from question q where q.app_id = $1 and q.id = n.id offset 0) q
        ) r
        cross join lateral (
            select * from guardian_link l where l.app_id = $1 and l.person_ref = r.ref offset 0
        ) l
        order by l.person_ref, l.guardian
        """,
        parameterTypes: [.text, .textArray, .uuidArray])

    static let ofPerson = Statement(
        "guardian_link_of_person",
        """
        select l.guardian, l.created_at
        from person p join guardian_link l on l.app_id = $1 and l.person_ref = p.ref
        where p.app_id = $1 and p.id = $2 order by l.guardian
        """,
        parameterTypes: [.text, .text])

    /// Whom the guardian $2 is linked to and how far the log has come, as of one moment: a link and its event are committed
    /// together.
    static let standing = Statement(
        "guardian_link_standing",
        """
        select a.feed_id, c.seq, c.pruned_seq, array(
            select l.person_ref from guardian_link l where l.app_id = $1 and l.guardian = $2)
        from app a join event_counter c on c.app_id = a.id where a.id = $1
        """,
        parameterTypes: [.text, .text])

    static let insert = Statement(
        "guardian_link_insert",
        """
        insert into guardian_link (app_id, person_ref, guardian, created_at)
        select $1, n.person_ref, n.guardian, $2 from unnest($3::uuid[], $4::text[]) as n(person_ref, guardian)
        """,
        parameterTypes: [.text, .timestamptz, .uuidArray, .textArray])

    static let delete = Statement(
        "guardian_link_delete",
        """
        delete from guardian_link l using unnest($2::uuid[], $3::text[]) as n(person_ref, guardian)
        where l.app_id = $1 and l.person_ref = n.person_ref and l.guardian = n.guardian collate "C"
        """,
        parameterTypes: [.text, .uuidArray, .textArray])
}

/// A link by what it joins.
struct LinkName: Hashable {
    let personRef: Identifier
    let guardian: CallerID
}
