/// When a session's plans are to be made anew.
///
/// A statement is planned once, for the tables as they are then; on a new database they are empty, and what suits an empty
/// table reads a grown one from end to end. Statistics, whose gathering would have the plans made anew, come late or,
/// with autovacuum off, never. So plans are dropped each time the session has done twice the work, and for what others
/// wrote meanwhile after a minute; not while it is idle, for plans made then would be as old when the work comes.
struct PlanRenewal {
    private static let longest: Duration = .seconds(60)

    private var batches = 0
    private var next = 16
    private var due: MonotonicTime

    init(openedAt now: MonotonicTime) {
        due = now + .seconds(1)
    }

    /// Whether plans are due to be dropped after one more batch; saying so sets the next time.
    mutating func isDue(at now: MonotonicTime) -> Bool {
        batches += 1
        guard batches >= next || now >= due else { return false }
        next = max(next, 2 * batches)
        due = now + Self.longest
        return true
    }
}
