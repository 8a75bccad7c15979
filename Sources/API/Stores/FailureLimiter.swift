import Synchronization

/// How many notifications that do not verify a source may send; those that verify are never counted. A mutex owns the table.
///
/// A source may send `burst` at once and one more for each `interval` that passes; past that it is told to wait. Of very many
/// sources the ones not heard of for longest are forgotten, so the table stays small whoever sends.
final class FailureLimiter: Sendable {
    typealias Moment = ContinuousClock.Instant

    /// Two generations: what is looked up moves to the newer, and the older is dropped when the newer is full.
    private struct Table {
        var recent: [String: Moment] = [:]
        var older: [String: Moment] = [:]
    }

    let burst: Int
    let interval: Duration
    private let sources: Int
    private let table = Mutex(Table())

    /// - Parameter sources: how many sources are remembered at least.
    init(burst: Int = 20, interval: Duration = .seconds(3), sources: Int = 4_096) {
        self.burst = burst
        self.interval = interval
        self.sources = sources
    }

    /// Counts a failure; nil while the source may fail, else how long it must wait.
    func fail(_ source: String, at now: Moment) -> Duration? {
        table.withLock { table in
            // When the source's allowance is whole again.
            let whole = max(table.recent[source] ?? table.older[source] ?? now, now)
            let excess = (whole - now) - interval * (burst - 1)
            if excess > .zero { return excess }
            if table.recent.count >= sources, table.recent[source] == nil {
                table.older = table.recent
                table.recent = [:]
            }
            table.recent[source] = whole + interval
            return nil
        }
    }

    /// Whether the next failure of the source would be refused.
    func isExhausted(_ source: String, at now: Moment) -> Bool {
        table.withLock { table in
            guard let whole = table.recent[source] ?? table.older[source] else { return false }
            return (whole - now) > interval * (burst - 1)
        }
    }
}
