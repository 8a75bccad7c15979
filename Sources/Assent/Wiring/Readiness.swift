import API
import Store
import Synchronization

/// Whether this instance should be sent requests; an atomic holds the one thing that changes.
final class Readiness: Sendable {
    private let draining = Atomic(false)
    private let store: Store

    init(_ store: Store) {
        self.store = store
    }

    /// From now on the answer is no: the server is about to stop.
    func drain() {
        draining.store(true, ordering: .relaxed)
    }

    /// Connected and not stopping; that the schema fits was checked before anything was served.
    var now: OperationalPages.Readiness {
        if draining.load(ordering: .relaxed) { return .notReady("The server is stopping.") }
        if !store.isConnected { return .notReady("The database is not connected.") }
        return .ready
    }
}
