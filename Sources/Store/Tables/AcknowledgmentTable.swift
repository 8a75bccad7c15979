import Consent
import Postgres

/// Table `acknowledgment`.
enum AcknowledgmentTable {
    /// Those of the pairs (person's id $2, change $3).
    static let ofPairs = Statement(
        "acknowledgment_of_pairs",
        """
        select k.person_ref, k.change_id, k.acknowledged_at
        from unnest($2::text[], $3::text[]) as n(person, change)
        cross join lateral (
            select p.ref from person p where p.app_id = $1 and p.id = n.person collate "C" limit 1
        ) p
        cross join lateral (
            select * from acknowledgment k
            where k.app_id = $1 and k.person_ref = p.ref and k.change_id = n.change collate "C" limit 1
        ) k
        """,
        parameterTypes: [.text, .textArray, .textArray])

    static let ofPerson = Statement(
        "acknowledgment_of_person",
        """
        select k.person_ref, k.change_id, k.acknowledged_at
        from person p join acknowledgment k on k.app_id = $1 and k.person_ref = p.ref
        where p.app_id = $1 and p.id = $2 order by k.acknowledged_at, k.change_id
        """,
        parameterTypes: [.text, .text])

    static let insert = Statement(
        "acknowledgment_insert",
        """
        insert into acknowledgment (app_id, person_ref, change_id, acknowledged_at)
        select $1, n.person_ref, n.change_id, n.at
        from unnest($2::uuid[], $3::text[], $4::timestamptz[]) as n(person_ref, change_id, at)
        """,
        parameterTypes: [.text, .uuidArray, .textArray, .timestamptzArray])

    static func decode(_ row: Row) throws(DatabaseError) -> Acknowledgment {
        Acknowledgment(personRef: try row.identifier(0), change: try row.callerID(1), at: try row.instant(2))
    }
}

/// An acknowledgment by what it joins.
struct AcknowledgmentName: Hashable {
    let personRef: Identifier
    let change: CallerID
}
