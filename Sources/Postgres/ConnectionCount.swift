import Synchronization

/// How many of a pool's threads hold an open connection. An atomic: any thread may read it.
final class ConnectionCount: Sendable {
    private let open = Atomic(0)

    var value: Int { open.load(ordering: .relaxed) }

    func change(by amount: Int) {
        open.wrappingAdd(amount, ordering: .relaxed)
    }
}
