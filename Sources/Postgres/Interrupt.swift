import Glibc
import Synchronization

/// Wakes every thread that waits in `poll` on behalf of one owner, once and for good: how a pool stops its threads
/// wherever they are.
///
/// Its state is a pipe and an atomic flag: any thread may call it.
package final class Interrupt: Sendable {
    /// Readable for ever once fired.
    let descriptor: Int32
    private let writer: Int32
    private let fired = Atomic(false)

    /// Without descriptors to spare it still works, only later: a wait is then cut into short ones.
    package init() {
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

    package var isFired: Bool { fired.load(ordering: .acquiring) }

    package func fire() {
        fired.store(true, ordering: .releasing)
        var byte: UInt8 = 1
        if writer >= 0 { _ = write(writer, &byte, 1) }
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
