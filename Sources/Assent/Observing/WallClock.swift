#if canImport(Glibc)
    import Glibc
#endif

/// The host's clock, for log lines and metrics only: what is decided is decided by the database's.
enum WallClock {
    /// Microseconds since the Unix epoch.
    static var microseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
