/// Growing waits with jitter, so that many threads do not try again in step.
struct Backoff {
    let first: Duration
    let limit: Duration
    private var step = 0

    init(first: Duration, limit: Duration) {
        self.first = first
        self.limit = limit
    }

    /// The next wait: between half and all of a span that doubles up to the limit.
    mutating func next() -> Duration {
        let span = min(first * (1 << min(step, 20)), limit)
        step += 1
        return span * Double.random(in: 0.5...1)
    }

    mutating func reset() {
        step = 0
    }
}
