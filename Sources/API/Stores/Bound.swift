import Synchronization

/// How many may do something at once; an atomic counts them.
final class Bound: Sendable {
    private let inside = Atomic<Int>(0)
    private let most: Int

    init(_ most: Int) {
        self.most = most
    }

    /// Whether there was room; then `leave` must follow.
    func enter() -> Bool {
        if inside.add(1, ordering: .relaxed).newValue <= most { return true }
        leave()
        return false
    }

    func leave() {
        inside.subtract(1, ordering: .relaxed)
    }
}
