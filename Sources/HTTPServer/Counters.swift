import Synchronization

/// What a server counts; atomics, and a lock for the rare faults.
final class Counters: Sendable {
    /// Connections accepted and not yet closed.
    let connections = Atomic<Int>(0)
    /// Connections accepted since the start.
    let accepted = Atomic<Int>(0)
    /// Exchanges between their request line and their end.
    let exchanges = Atomic<Int>(0)
    /// Exchanges whose connection is suspended, resuming included: while it is not 0 no daemon may be stopped.
    let suspended = Atomic<Int>(0)
    /// Exchanges begun since the start.
    let requests = Atomic<Int>(0)
    private let faults = Mutex<[String: Int]>([:])

    func count(_ fault: Fault) {
        faults.withLock { $0[fault.kind, default: 0] += 1 }
    }

    /// A request that libmicrohttpd refused by itself.
    func countLibraryRefusal() {
        faults.withLock { $0["library_refusal", default: 0] += 1 }
    }

    var faultsByKind: [String: Int] { faults.withLock { $0 } }
}
