import HTTPServer
import Postgres
import Synchronization

/// Everything that is counted, and the text Prometheus reads; any thread may record. A mutex owns the list of gauges, which
/// the wiring fills while it starts things.
final class Metrics: Sendable {
    let requests: RequestMetrics
    private let sweeps = SweepMetrics()
    private let reminders = Atomic<Int>(0)
    private let reminderFailures = Atomic<Int>(0)
    private let retention = RetentionMetrics()
    private let webhooks = WebhookMetrics()
    private let access = AccessMetrics()
    private let notifications = NotificationMetrics()
    private let databaseFaults = Atomic<Int>(0)
    private let listenerLosses = Atomic<Int>(0)
    private let clusterEnds = Atomic<Int>(0)
    private let pools: [PoolMetrics]
    private let gauges = Mutex<[Gauge]>([])
    private let startedAt = WallClock.microseconds

    /// - Parameter pools: names as `Observation.pool` gives them.
    init(routes: [RequestMetrics.Key], pools: [String]) {
        requests = RequestMetrics(routes: routes)
        self.pools = pools.map(PoolMetrics.init)
    }

    func record(_ observation: Observation) {
        switch observation {
        case .request(let record): requests.record(record)
        case .pool(let name, let observation): pools.first { $0.name == name }?.record(observation)
        case .decided(let tally): access.record(tally)
        case .notification(let news): notifications.record(news)
        case .databaseFault: databaseFaults.wrappingAdd(1, ordering: .relaxed)
        case .swept(.success(let report)): sweeps.record(report)
        case .swept(.failure): sweeps.recordFailure()
        case .reminded(.success(let questions)): reminders.wrappingAdd(questions, ordering: .relaxed)
        case .reminded(.failure): reminderFailures.wrappingAdd(1, ordering: .relaxed)
        case .pruned(.success(let pruned)): retention.record(pruned)
        case .pruned(.failure): retention.recordFailure()
        case .delivery(let news): webhooks.record(news)
        case .cluster(.ended): clusterEnds.wrappingAdd(1, ordering: .relaxed)
        case .listener(.lost): listenerLosses.wrappingAdd(1, ordering: .relaxed)
        case .listener, .starting, .strangeVariable, .cluster, .waitingForDatabase, .migrated, .appStoreRoots,
            .listening,
            .cancelledWithdrawn, .stopping, .stopped, .failed:
            break
        }
    }

    /// From now on read whenever the metrics are asked for.
    func add(_ gauges: [Gauge]) {
        self.gauges.withLock { $0 += gauges }
    }

    /// The whole page, in the format `Exposition.contentType` names.
    var page: [UInt8] {
        var text = Exposition()
        text.family("assent_build_info", .gauge, "Always 1; the version is a label.")
        text.sample([("version", Build.version)], 1)
        text.family("process_start_time_seconds", .gauge, "Start of the process since the Unix epoch.")
        text.sample([], Double(startedAt) / 1_000_000)
        requests.write(to: &text)
        access.write(to: &text)
        notifications.write(to: &text)
        PoolMetrics.write(pools, to: &text)
        text.family("assent_database_faults_total", .counter, "Statements that failed in a way nobody foresaw.")
        text.sample([], databaseFaults.load(ordering: .relaxed))
        text.family(
            "assent_listener_losses_total", .counter, "Times the connection that hears of other instances was lost.")
        text.sample([], listenerLosses.load(ordering: .relaxed))
        text.family("assent_cluster_ends_total", .counter, "Times the private cluster's server ended by itself.")
        text.sample([], clusterEnds.load(ordering: .relaxed))
        sweeps.write(to: &text)
        text.family("assent_reminders_total", .counter, "Questions this instance told of as soon to expire.")
        text.sample([], reminders.load(ordering: .relaxed))
        text.family("assent_reminder_failures_total", .counter, "Looks for reminders that failed; each is tried again.")
        text.sample([], reminderFailures.load(ordering: .relaxed))
        retention.write(to: &text)
        webhooks.write(to: &text)
        for gauge in gauges.withLock({ $0 }) {
            text.family(gauge.name, gauge.kind, gauge.help)
            for sample in gauge.read() { text.sample(sample.labels, sample.value) }
        }
        return text.bytes
    }
}
