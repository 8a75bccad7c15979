import Glibc

/// A point on the clock that only goes forward and stops for nothing but the machine; for limits and latencies inside
/// this process, never for what is decided or stored.
package struct MonotonicTime: Sendable, Comparable {
    /// Nanoseconds since an arbitrary start.
    package let nanoseconds: UInt64

    package init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    package static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
    }

    /// A point no limit reaches.
    package static let never = MonotonicTime(nanoseconds: .max)

    package static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = duration.components
        let span = Int64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
        guard !span.overflow else { return seconds > 0 ? .never : MonotonicTime(nanoseconds: 0) }
        let total = span.partialValue.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !total.overflow else { return .never }
        if total.partialValue < 0 {
            let back = total.partialValue.magnitude
            return MonotonicTime(nanoseconds: time.nanoseconds > back ? time.nanoseconds - back : 0)
        }
        let sum = time.nanoseconds.addingReportingOverflow(UInt64(total.partialValue))
        return sum.overflow ? .never : MonotonicTime(nanoseconds: sum.partialValue)
    }

    /// How long after `earlier` this is; zero when it is not.
    package func since(_ earlier: MonotonicTime) -> Duration {
        .nanoseconds(Int64(clamping: nanoseconds > earlier.nanoseconds ? nanoseconds - earlier.nanoseconds : 0))
    }

    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// Milliseconds from now for `poll`, rounded up so that it never wakes early to spin; -1 waits without limit.
    var pollTimeout: Int32 {
        guard self != .never else { return -1 }
        let now = MonotonicTime.now
        guard self > now else { return 0 }
        return Int32(clamping: (nanoseconds - now.nanoseconds + 999_999) / 1_000_000)
    }
}
