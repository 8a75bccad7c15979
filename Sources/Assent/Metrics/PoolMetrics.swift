import Postgres
import Synchronization

/// What is counted of one pool of database connections; any thread may record, nothing is locked.
final class PoolMetrics: Sendable {
    let name: String
    private let items = Histogram(bounds: Histogram.sizeBounds)
    private let waits = Histogram(bounds: Histogram.latencyBounds)
    private let batches = Histogram(bounds: Histogram.latencyBounds)
    private let commits = Histogram(bounds: Histogram.latencyBounds)
    private let retries = Atomic<Int>(0)
    private let halvings = Atomic<Int>(0)
    private let connections = Atomic<Int>(0)
    private let refusals = Atomic<Int>(0)
    private let losses = Atomic<Int>(0)
    private let failures = Labeled<5>(["expired", "unavailable", "stopping", "outcome_unknown", "poisoned"])
    private let outcomes = Labeled<3>(["committed", "not_committed", "unknown"])

    init(name: String) {
        self.name = name
    }

    func record(_ observation: PoolObservation) {
        switch observation {
        case .batch(let count, let waited, let took):
            items.record(Int64(count))
            waits.record(waited.microseconds)
            batches.record(took.microseconds)
        case .committed(let after): commits.record(after.microseconds)
        case .retried: retries.wrappingAdd(1, ordering: .relaxed)
        case .halved: halvings.wrappingAdd(1, ordering: .relaxed)
        case .failed(let count, let failure): failures.add(Self.place(of: failure), count)
        case .connected: connections.wrappingAdd(1, ordering: .relaxed)
        case .refused: refusals.wrappingAdd(1, ordering: .relaxed)
        case .lost: losses.wrappingAdd(1, ordering: .relaxed)
        case .outcome(let outcome): outcomes.add(Self.place(of: outcome), 1)
        }
    }

    private static func place(of failure: BatchFailure) -> Int {
        switch failure {
        case .expired: 0
        case .unavailable: 1
        case .stopping: 2
        case .outcomeUnknown: 3
        case .poisoned: 4
        }
    }

    private static func place(of outcome: CommitOutcome) -> Int {
        switch outcome {
        case .committed: 0
        case .notCommitted: 1
        case .unknown: 2
        }
    }

    /// The families of all pools together, since a family is written once with the samples of each.
    static func write(_ pools: [PoolMetrics], to text: inout Exposition) {
        text.family("assent_database_batch_items", .histogram, "Commands or reads done in one batch.")
        for pool in pools { text.histogram(pool.label, pool.items) }
        text.family("assent_database_queue_wait_seconds", .histogram, "Longest wait for a connection in a batch.")
        for pool in pools { text.histogram(pool.label, pool.waits, scale: 1_000_000) }
        text.family("assent_database_batch_seconds", .histogram, "From taking a batch to its end.")
        for pool in pools { text.histogram(pool.label, pool.batches, scale: 1_000_000) }
        text.family("assent_database_commit_seconds", .histogram, "From sending a commit to its answer.")
        for pool in pools { text.histogram(pool.label, pool.commits, scale: 1_000_000) }
        text.family("assent_database_retries_total", .counter, "Batches run again after a failure that may heal.")
        for pool in pools { text.sample(pool.label, pool.retries.load(ordering: .relaxed)) }
        text.family("assent_database_halvings_total", .counter, "Failed batches halved to find their culprit.")
        for pool in pools { text.sample(pool.label, pool.halvings.load(ordering: .relaxed)) }
        text.family("assent_database_connects_total", .counter, "Connections made.")
        for pool in pools { text.sample(pool.label, pool.connections.load(ordering: .relaxed)) }
        text.family("assent_database_connect_failures_total", .counter, "Attempts to connect that failed.")
        for pool in pools { text.sample(pool.label, pool.refusals.load(ordering: .relaxed)) }
        text.family("assent_database_connections_lost_total", .counter, "Connections lost.")
        for pool in pools { text.sample(pool.label, pool.losses.load(ordering: .relaxed)) }
        text.family("assent_database_items_failed_total", .counter, "Commands or reads given up, by reason.")
        for pool in pools {
            for (reason, count) in pool.failures.reading { text.sample(pool.label + [("reason", reason)], count) }
        }
        text.family(
            "assent_database_lost_commits_total", .counter, "Commits whose answer was lost, by what was learnt.")
        for pool in pools {
            for (outcome, count) in pool.outcomes.reading { text.sample(pool.label + [("outcome", outcome)], count) }
        }
    }

    private var label: [(String, String)] { [("pool", name)] }
}
