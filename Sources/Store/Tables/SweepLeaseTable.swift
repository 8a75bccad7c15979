import Postgres

/// Table `sweep_lease`: which instance sweeps an app at present.
enum SweepLeaseTable {
    /// Returns a row when $2 holds the lease from now on; run twice it does the same, so it may stand among reads.
    static let claim = Statement(
        "sweep_lease_claim",
        """
        insert into sweep_lease as l (app_id, holder, until) values ($1, $2, clock_timestamp() + interval '10 seconds')
        on conflict (app_id) do update set holder = excluded.holder, until = excluded.until
        where l.holder = excluded.holder or l.until <= clock_timestamp()
        returning 1
        """,
        parameterTypes: [.text, .uuid])
}
