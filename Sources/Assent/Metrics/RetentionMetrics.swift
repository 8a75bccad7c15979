import Synchronization
import Workers

/// What is counted of retention; any thread may record, nothing is locked.
final class RetentionMetrics: Sendable {
    private static let kinds = Retention.Kind.allCases

    private let rows = Labeled<7>(kinds.map(\.rawValue))
    private let failures = Atomic<Int>(0)

    func record(_ pruned: Retention.Pruned) {
        if let place = Self.kinds.firstIndex(of: pruned.kind) { rows.add(place, pruned.rows) }
    }

    func recordFailure() {
        failures.wrappingAdd(1, ordering: .relaxed)
    }

    func write(to text: inout Exposition) {
        text.family("assent_retention_rows_total", .counter, "Rows this instance took away because they are old.")
        for (kind, count) in rows.reading { text.sample([("kind", kind)], count) }
        text.family("assent_retention_failures_total", .counter, "Runs that failed; each is tried again.")
        text.sample([], failures.load(ordering: .relaxed))
    }
}
