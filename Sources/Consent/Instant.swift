/// A moment on the database's clock: microseconds since the Unix epoch, UTC, the resolution PostgreSQL keeps.
package struct Instant: Sendable, Hashable, Comparable {
    package let microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package static func < (left: Instant, right: Instant) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The moment a number of whole seconds later (earlier when negative); saturates instead of trapping.
    package func adding(seconds: Int64) -> Instant {
        let (span, spanOverflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, sumOverflow) = microseconds.addingReportingOverflow(span)
        if spanOverflow || sumOverflow {
            return Instant(microseconds: seconds < 0 ? .min : .max)
        }
        return Instant(microseconds: sum)
    }
}
