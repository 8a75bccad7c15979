import Glibc
import Synchronization

/// Ends another thread's `poll`, as often as it is rung: any thread rings, one waits. Its state is a pipe and an atomic flag.
final class Bell: Sendable {
    /// Readable while rung.
    let descriptor: Int32
    private let writer: Int32
    private let rung = Atomic(false)

    /// Without descriptors to spare it is never heard; whoever waits then waits for its own limit.
    init() {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends where end >= 0 {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        descriptor = ends[0]
        writer = ends[1]
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if writer >= 0 { close(writer) }
    }

    func ring() {
        guard !rung.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var byte: UInt8 = 1
        if writer >= 0 { _ = write(writer, &byte, 1) }
    }

    /// The waiting thread is about to look at everything there is.
    func answer() {
        var byte: UInt8 = 0
        if descriptor >= 0 { while read(descriptor, &byte, 1) > 0 {} }
        rung.store(false, ordering: .releasing)
    }
}
