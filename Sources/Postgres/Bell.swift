import Synchronization

/// Ends another thread's `poll`, as often as it is rung: any thread rings, one waits. Its state is a pipe and an atomic flag.
/// Without descriptors to spare it is never heard; whoever waits then waits for its own limit.
final class Bell: Sendable {
    private let pipe = Pipe()
    private let rung = Atomic(false)

    /// Readable while rung.
    var descriptor: Int32 { pipe.descriptor }

    func ring() {
        guard !rung.exchange(true, ordering: .acquiringAndReleasing) else { return }
        pipe.fill()
    }

    /// The waiting thread is about to look at everything there is.
    func answer() {
        pipe.empty()
        rung.store(false, ordering: .releasing)
    }
}
