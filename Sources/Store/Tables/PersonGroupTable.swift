import Consent
import Postgres

/// Table `person_group`: how many persons there are of whom the same is known.
enum PersonGroupTable {
    private static let facts = """
        age_kind, age_lower, age_upper, age_declaration, duties_kind, duties, original_value, original_kind,
        original_environment, region
        """

    /// All groups that have anybody in them.
    static let ofApp = Statement(
        "person_group_of_app",
        "select g.count, \(facts) from person_group g where g.app_id = $1 and g.count <> 0", parameterTypes: [.text])

    static let total = Statement(
        "person_group_total",
        "select coalesce(sum(g.count), 0)::bigint from person_group g where g.app_id = $1", parameterTypes: [.text])

    /// Adds the numbers $2 to the groups of the facts in the arrays, those of a group together, in key order as everybody
    /// does. A group that loses as many as it gains is not touched.
    static let add = Statement(
        "person_group_add",
        """
        insert into person_group as g (app_id, digest, \(facts), count)
        select $1, person_group_digest(\(facts)), \(facts), sum(n.count)
        from (
            select n.count, n.age_kind, n.age_lower, n.age_upper, n.age_declaration, n.duties_kind,
                string_to_array(n.duties, chr(31)) as duties, n.original_value, n.original_kind,
                n.original_environment, n.region
            from (
                select unnest($2::int8[]) as count, unnest($3::text[]) as age_kind, unnest($4::int2[]) as age_lower,
                    unnest($5::int2[]) as age_upper, unnest($6::text[]) as age_declaration,
                    unnest($7::text[]) as duties_kind, unnest($8::text[]) as duties,
                    unnest($9::text[]) as original_value, unnest($10::text[]) as original_kind,
                    unnest($11::text[]) as original_environment, unnest($12::text[]) as region
            ) n
        ) n
        group by \(facts)
        having sum(n.count) <> 0
        order by 2
        on conflict (app_id, digest) do update set count = g.count + excluded.count
        """,
        parameterTypes: [
            .text, .int8Array, .textArray, .int2Array, .int2Array, .textArray, .textArray, .textArray, .textArray,
            .textArray, .textArray, .textArray,
        ])

    /// How many counters count nobody, of both tables; counts no further than $2 of each.
    static let countEmpty = Statement(
        "person_group_count_empty",
        """
        select (select count(*) from (
                select 1 from person_group g where g.app_id = $1 and g.count = 0 limit $2) g)
            + (select count(*) from (
                select 1 from change_progress g where g.app_id = $1 and g.count = 0 limit $2) p)
        """,
        parameterTypes: [.text, .int8])

    /// Takes away at most $2 groups that have nobody in them. One that somebody writes just now is passed by, so this
    /// neither waits nor, but for the moment to its commit, lets anybody wait.
    static let pruneEmpty = Statement(
        "person_group_prune_empty",
        """
        delete from person_group g using (
            select e.digest from person_group e where e.app_id = $1 and e.count = 0
            order by e.digest limit $2 for update skip locked
        ) empty
        where g.app_id = $1 and g.digest = empty.digest
        """,
        parameterTypes: [.text, .int8])

    /// - Parameter moves: facts, and how many persons more there are of whom just they are known.
    static func adding(_ app: AppID, _ moves: [(facts: PersonFacts, count: Int)]) -> Parameters {
        var binds = Parameters(capacity: 128 * moves.count + 256)
        binds.append(app)
        binds.column(moves, of: .int8) { $0.append(int8: Int64($1.count)) }
        binds.appendFacts(of: moves) { $0.facts }
        return binds
    }
}
