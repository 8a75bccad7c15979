import Synchronization
import Workers

/// What is counted of the sweeper; any thread may record, nothing is locked.
final class SweepMetrics: Sendable {
    private let resolved = Atomic<Int>(0)
    private let runs = Atomic<Int>(0)
    private let failures = Atomic<Int>(0)
    /// Microseconds.
    private let lag = Atomic<Int64>(0)
    /// Microseconds since the Unix epoch, on the host's clock; 0 before the first.
    private let lastRun = Atomic<Int64>(0)

    func record(_ report: Sweeper.Report) {
        resolved.wrappingAdd(report.resolved, ordering: .relaxed)
        runs.wrappingAdd(1, ordering: .relaxed)
        lag.store(report.lag, ordering: .relaxed)
        lastRun.store(WallClock.microseconds, ordering: .relaxed)
    }

    func recordFailure() {
        failures.wrappingAdd(1, ordering: .relaxed)
    }

    func write(to text: inout Exposition) {
        text.family("assent_sweeper_resolved_total", .counter, "Questions this instance resolved as expired.")
        text.sample([], resolved.load(ordering: .relaxed))
        text.family(
            "assent_sweeper_runs_total", .counter, "Runs that came to their end, and seconds that long ones went on.")
        text.sample([], runs.load(ordering: .relaxed))
        text.family("assent_sweeper_failures_total", .counter, "Runs that failed; each is tried again.")
        text.sample([], failures.load(ordering: .relaxed))
        text.family(
            "assent_sweeper_lag_seconds", .gauge, "How long the longest overdue question was so at the last look.")
        text.sample([], Double(lag.load(ordering: .relaxed)) / 1_000_000)
        text.family(
            "assent_sweeper_last_run_timestamp_seconds", .gauge, "When the sweeper last told of its work; 0 for never."
        )
        text.sample([], Double(lastRun.load(ordering: .relaxed)) / 1_000_000)
    }
}
