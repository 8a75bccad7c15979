import Synchronization

/// How often a measured value fell below each of some bounds; any thread may record, nothing is locked.
///
/// A reader may see a value counted before it is in the sum, which Prometheus tolerates.
final class Histogram: Sendable {
    /// Upper bounds, ascending; at most `width - 1`.
    let bounds: [Int64]
    private static let width = 20
    private let buckets = InlineArray<20, Atomic<Int>> { _ in Atomic(0) }
    private let total = Atomic<Int64>(0)

    init(bounds: [Int64]) {
        self.bounds = Array(bounds.prefix(Self.width - 1))
    }

    func record(_ value: Int64) {
        var index = 0
        while index < bounds.count, value > bounds[index] { index += 1 }
        buckets[index].wrappingAdd(1, ordering: .relaxed)
        total.wrappingAdd(value, ordering: .relaxed)
    }

    /// Values counted up to each bound, then all of them, and their sum.
    var reading: (cumulative: [Int], sum: Int64) {
        var cumulative: [Int] = []
        var sum = 0
        for index in 0...bounds.count {
            sum += buckets[index].load(ordering: .relaxed)
            cumulative.append(sum)
        }
        return (cumulative, total.load(ordering: .relaxed))
    }

    /// Bounds for what takes from a fraction of a millisecond to seconds, in microseconds.
    static let latencyBounds: [Int64] = [
        250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
        5_000_000, 10_000_000,
    ]

    /// Bounds for how many things were done at once.
    static let sizeBounds: [Int64] = [1, 2, 4, 8, 16, 32, 64, 128, 256]
}
