import CLibPQ
import Glibc

/// Why a wait on a socket ended.
enum Wait {
    case ready(readable: Bool)
    case timedOut
    case interrupted

    /// Waits until the socket is readable, or writable when `writing`, or the limit passes, or `interrupt` fires; looks
    /// `looks` times before it sleeps.
    static func socket(
        _ descriptor: Int32, reading: Bool, writing: Bool, until limit: MonotonicTime, _ interrupt: Interrupt?,
        looks: Int = 0
    ) -> Wait {
        let events = (reading ? POLLIN : 0) | (writing ? POLLOUT : 0)
        var entries = (
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            pollfd(fd: interrupt?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
        )
        for _ in 0..<looks {
            sched_yield()
            let count = withUnsafeMutableBytes(of: &entries) { bytes in
                poll(bytes.assumingMemoryBound(to: pollfd.self).baseAddress, 1, 0)
            }
            if count > 0 { return .ready(readable: entries.0.revents & ~Int16(POLLOUT) != 0) }
        }
        while true {
            if interrupt?.isFired == true { return .interrupted }
            let count = withUnsafeMutableBytes(of: &entries) { bytes in
                poll(bytes.assumingMemoryBound(to: pollfd.self).baseAddress, 2, limit.pollTimeout)
            }
            if entries.0.revents != 0 {
                return .ready(readable: entries.0.revents & ~Int16(POLLOUT) != 0)
            }
            if count == 0, limit <= .now { return .timedOut }
            if count < 0, errno != EINTR { return .ready(readable: true) }
        }
    }
}
