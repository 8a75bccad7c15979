/// When a session's plans are to be made anew.
///
/// A statement is planned once, for the tables as they are then; on a new database they are empty, and what suits an empty
/// table reads a grown one from end to end. Statistics, whose gathering would have the plans made anew, come late or,
/// with autovacuum off, never. So plans are dropped when the session is young, often, and later now and then.
struct PlanRenewal {
    private static let ages: [Duration] = [.seconds(1), .seconds(4), .seconds(15), .seconds(60), .seconds(300)]
    private static let later: Duration = .seconds(1_800)

    private var count = 0
    private var due: MonotonicTime

    init(openedAt now: MonotonicTime) {
        due = now + Self.ages[0]
    }

    /// Whether plans are due to be dropped; saying so sets the next time.
    mutating func isDue(at now: MonotonicTime) -> Bool {
        guard now >= due else { return false }
        count += 1
        due = now + (count < Self.ages.count ? Self.ages[count] : Self.later)
        return true
    }
}
