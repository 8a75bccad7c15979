import Glibc

/// The system's monotonic clock in microseconds; its zero means nothing.
enum Monotonic {
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

extension Duration {
    /// Whole microseconds, at least 0; what is too long to count is a century.
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds < 3_155_760_000 else { return 3_155_760_000_000_000 }
        return max(0, seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }
}
