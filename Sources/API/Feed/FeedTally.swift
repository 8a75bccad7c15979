import Synchronization

/// What the feeds of all apps have done since the start; any thread counts.
final class FeedTally: Sendable {
    private let sentCount = Atomic<Int>(0)
    private let resetCount = Atomic<Int>(0)
    private let slowCount = Atomic<Int>(0)

    func sent(_ count: Int) { if count > 0 { sentCount.wrappingAdd(count, ordering: .relaxed) } }
    func reset(_ count: Int) { resetCount.wrappingAdd(count, ordering: .relaxed) }
    func cut() { slowCount.wrappingAdd(1, ordering: .relaxed) }

    var sent: Int { sentCount.load(ordering: .relaxed) }
    var resets: Int { resetCount.load(ordering: .relaxed) }
    var slow: Int { slowCount.load(ordering: .relaxed) }
}

/// Whole seconds on a clock that only goes forward, for the ages of what is in memory.
enum MonotonicSeconds {
    private static let start = ContinuousClock.now

    static var now: Int64 { (ContinuousClock.now - start).components.seconds }
}
