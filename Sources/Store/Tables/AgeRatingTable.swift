import Consent
import Postgres

/// Tables `age_rating` and `age_rating_step`: the last known ratings and how they came about.
enum AgeRatingTable {
    private static let columns = """
        r.storefront, r.environment, r.code, r.revision, r.observed_at, r.last_observed_at, r.recorded_at
        """

    /// Those of the pairs (storefront $2, environment $3), for this transaction alone to change.
    static let lock = Statement(
        "age_rating_lock",
        """
        select \(columns) from age_rating r
        where r.app_id = $1 and (r.storefront, r.environment) in (select * from unnest($2::text[], $3::text[]))
        order by r.storefront, r.environment for no key update
        """,
        parameterTypes: [.text, .textArray, .textArray])

    /// The ids of changes that begin with one of the prefixes $2, each of which ends in a hyphen.
    static let changeIDs = Statement(
        "age_rating_change_ids",
        """
        select c.id from unnest($2::text[]) as n(prefix) cross join lateral (
            select c.id from change c
            where c.app_id = $1 and c.id >= n.prefix collate "C"
                and c.id < (rtrim(n.prefix, '-') || '.') collate "C"
            offset 0
        ) c
        """,
        parameterTypes: [.text, .textArray])

    /// At most $6 after the pair ($2, $3); of the storefront $4 and the environment $5 alone where they are given.
    static let page = Statement(
        "age_rating_page",
        """
        select \(columns) from age_rating r
        where r.app_id = $1 and (r.storefront, r.environment) > ($2, $3)
            and ($4::text is null or r.storefront = $4) and ($5::text is null or r.environment = $5)
        order by r.storefront, r.environment limit $6
        """,
        parameterTypes: [.text, .text, .text, .text, .text, .int8])

    static let byScope = Statement(
        "age_rating_by_scope",
        "select \(columns) from age_rating r where r.app_id = $1 and r.storefront = $2 and r.environment = $3",
        parameterTypes: [.text, .text, .text])

    /// At most $5 after the revision $4.
    static let steps = Statement(
        "age_rating_steps",
        """
        select s.storefront, s.environment, s.revision, s.code, s.previous_code, s.observed_at, s.recorded_at,
            s.change_id
        from age_rating_step s
        where s.app_id = $1 and s.storefront = $2 and s.environment = $3 and s.revision > $4
        order by s.revision limit $5
        """,
        parameterTypes: [.text, .text, .text, .int4, .int8])

    /// A row that another transaction inserted meanwhile fails the whole: then the batch is run again and finds it.
    static let insert = Statement(
        "age_rating_insert",
        """
        insert into age_rating (app_id, storefront, environment, code, revision, observed_at, last_observed_at,
            recorded_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8)
        """,
        parameterTypes: valueTypes)

    static let update = Statement(
        "age_rating_update",
        """
        update age_rating set code = $4, revision = $5, observed_at = $6, last_observed_at = $7, recorded_at = $8
        where app_id = $1 and storefront = $2 and environment = $3
        """,
        parameterTypes: valueTypes)

    static let insertStep = Statement(
        "age_rating_step_insert",
        """
        insert into age_rating_step (app_id, storefront, environment, revision, code, previous_code, observed_at,
            recorded_at, change_id)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        """,
        parameterTypes: [.text, .text, .text, .int4, .int8, .int8, .timestamptz, .timestamptz, .text])

    private static let valueTypes: [PostgresType] = [
        .text, .text, .text, .int8, .int4, .timestamptz, .timestamptz, .timestamptz,
    ]

    static func decode(_ row: Row) throws(DatabaseError) -> AgeRating {
        AgeRating(
            scope: try scope(row), code: Int(try row.int8(2)), revision: Int(try row.int4(3)),
            observedAt: try row.instant(4), lastObservedAt: try row.instant(5), recordedAt: try row.instant(6))
    }

    static func decodeStep(_ row: Row) throws(DatabaseError) -> AgeRatingStep {
        AgeRatingStep(
            scope: try scope(row), revision: Int(try row.int4(2)), code: Int(try row.int8(3)),
            previousCode: try row.int8OrNil(4).map(Int.init), observedAt: try row.instant(5),
            recordedAt: try row.instant(6), change: try row.callerIDOrNil(7))
    }

    private static func scope(_ row: Row) throws(DatabaseError) -> AgeRatingScope {
        AgeRatingScope(storefront: Storefront(trusted: try row.text(0)), environment: try row.name(1))
    }

    static func binds(_ app: AppID, _ scope: AgeRatingScope) -> Parameters {
        var binds = Parameters()
        binds.append(app)
        binds.append(text: scope.storefront.code)
        binds.append(text: scope.environment.rawValue)
        return binds
    }

    static func binds(_ app: AppID, _ rating: AgeRating) -> Parameters {
        var binds = binds(app, rating.scope)
        binds.append(int8: Int64(rating.code))
        binds.append(int4: Int32(clamping: rating.revision))
        binds.append(rating.observedAt)
        binds.append(rating.lastObservedAt)
        binds.append(rating.recordedAt)
        return binds
    }

    static func binds(_ app: AppID, _ step: AgeRatingStep) -> Parameters {
        var binds = binds(app, step.scope)
        binds.append(int4: Int32(clamping: step.revision))
        binds.append(int8: Int64(step.code))
        binds.append(int8: step.previousCode.map(Int64.init))
        binds.append(step.observedAt)
        binds.append(step.recordedAt)
        binds.append(text: step.change?.text)
        return binds
    }
}
