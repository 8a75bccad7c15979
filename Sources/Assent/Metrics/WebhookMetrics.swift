import Consent
import Synchronization
import Workers

/// What is counted of webhook deliveries; any thread may record, nothing is locked.
final class WebhookMetrics: Sendable {
    private static let failures = AttemptFailure.allCases
    private static let answers = ["2xx", "3xx", "4xx", "5xx"]

    /// Answers first, then failures.
    private let attempts = Labeled<16>(answers + failures.map(\.rawValue))
    private let gaveUp = Atomic<Int>(0)
    private let storeFailures = Atomic<Int>(0)
    /// Milliseconds.
    private let duration = Atomic<Int>(0)
    /// Microseconds.
    private let lag = Atomic<Int64>(0)

    func record(_ news: DeliveryNews) {
        switch news {
        case .attempted(let attempt):
            if let place = Self.place(of: attempt.result) { attempts.add(place, 1) }
            duration.wrappingAdd(attempt.milliseconds, ordering: .relaxed)
        case .looked(let microseconds): lag.store(microseconds, ordering: .relaxed)
        case .gaveUp: gaveUp.wrappingAdd(1, ordering: .relaxed)
        case .failed: storeFailures.wrappingAdd(1, ordering: .relaxed)
        }
    }

    private static func place(of result: AttemptResult) -> Int? {
        switch result {
        case .answered(let status, _): min(max(status / 100 - 2, 0), answers.count - 1)
        case .failed(let failure): failures.firstIndex(of: failure).map { $0 + answers.count }
        }
    }

    func write(to text: inout Exposition) {
        text.family(
            "assent_webhook_attempts_total", .counter, "Attempts this instance made to deliver, by what came of them.")
        for (outcome, count) in attempts.reading { text.sample([("outcome", outcome)], count) }
        text.family("assent_webhook_attempt_seconds_total", .counter, "Time these attempts took.")
        text.sample([], Double(duration.load(ordering: .relaxed)) / 1_000)
        text.family(
            "assent_webhook_given_up_total", .counter,
            "Leased deliveries given up without a known outcome; they are made again.")
        text.sample([], gaveUp.load(ordering: .relaxed))
        text.family("assent_webhook_failures_total", .counter, "Looks and records that failed; each is tried again.")
        text.sample([], storeFailures.load(ordering: .relaxed))
        text.family(
            "assent_webhook_lag_seconds", .gauge, "How long the longest due attempt had been so at the last look.")
        text.sample([], Double(lag.load(ordering: .relaxed)) / 1_000_000)
    }
}
