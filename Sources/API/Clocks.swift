package import Consent

/// The clocks this room reads; what the domain decides is judged by the database's.
package struct Clocks: Sendable {
    /// For the ages of what is held in memory.
    package let monotonic: @Sendable () -> ContinuousClock.Instant
    /// The host's time of day: for the time part of a new key's id, and to tell what a store dated too far ahead.
    package let wall: @Sendable () -> Instant

    package init(
        monotonic: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
        wall: @escaping @Sendable () -> Instant
    ) {
        self.monotonic = monotonic
        self.wall = wall
    }
}
