import Synchronization

/// A counter for each of a few names known beforehand; any thread may add, nothing is locked.
final class Labeled<let count: Int>: Sendable {
    private let names: [String]
    private let counts = InlineArray<count, Atomic<Int>> { _ in Atomic(0) }

    init(_ names: [String]) {
        self.names = names
    }

    /// Adds to the name at a place; a place there is none of is left alone.
    func add(_ place: Int, _ amount: Int) {
        guard place >= 0, place < count else { return }
        counts[place].wrappingAdd(amount, ordering: .relaxed)
    }

    /// Every name with its count, zeros included.
    var reading: [(name: String, count: Int)] {
        names.prefix(count).enumerated().map { ($1, counts[$0].load(ordering: .relaxed)) }
    }
}
