package import Consent
import Glibc

extension Instant {
    /// The host's clock, which here is the database's too.
    package static var present: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }

    package func adding(milliseconds: Int64) -> Instant {
        Instant(microseconds: microseconds + milliseconds * 1_000)
    }
}

extension Instant {
    /// As PostgreSQL reads it, to the microsecond.
    package var sql: String { "epoch'::timestamptz + interval '\(microseconds) microseconds" }
}
