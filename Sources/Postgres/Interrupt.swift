import Glibc
import Synchronization

/// Wakes every thread that waits in `poll` on behalf of one owner, once and for good: how a pool stops its threads
/// wherever they are.
///
/// Its state is a pipe and an atomic flag: any thread may call it.
package final class Interrupt: Sendable {
    private let pipe = Pipe()
    private let fired = Atomic(false)

    /// Readable for ever once fired.
    var descriptor: Int32 { pipe.descriptor }

    /// Without descriptors to spare it still works, only later: a wait is then cut into short ones.
    package init() {}

    package var isFired: Bool { fired.load(ordering: .acquiring) }

    package func fire() {
        fired.store(true, ordering: .releasing)
        pipe.fill()
    }

    /// Waits for `duration` or until fired; false when fired.
    @discardableResult
    package func sleep(for duration: Duration) -> Bool {
        let end = MonotonicTime.now + duration
        while !isFired {
            if end <= .now { return true }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, descriptor >= 0 ? end.pollTimeout : min(end.pollTimeout, 50))
        }
        return false
    }
}
