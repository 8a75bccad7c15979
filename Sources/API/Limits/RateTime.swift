/// The monotonic clock as the limits count it.
struct RateTime: Sendable {
    private let now: @Sendable () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant

    init(_ now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.now = now
        start = now()
    }

    /// Microseconds since this was made.
    var moment: Int64 {
        let (seconds, attoseconds) = (now() - start).components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
