import Consent

/// How far retention's walks over the questions have come, and when they begin anew.
///
/// A walk reads every old question, also those that stay: so a run takes so many steps of it and no more, and after its end
/// there is none for an hour.
struct RetentionPace {
    private struct Walk {
        var position: Identifier?
        /// Since when the walk is at its end; nil while it is under way.
        var endedAt: ContinuousClock.Instant?
        var stepsInRun = 0
        /// When the app's counters were looked at.
        var countersAt: ContinuousClock.Instant?
    }

    private static let stepsPerRun = 256
    private static let rest = Duration.seconds(3_600)

    /// Whether a run ends before the walks do.
    private let isBounded: Bool
    private var walks: [AppID: Walk] = [:]

    init(isBounded: Bool = true) {
        self.isBounded = isBounded
    }

    /// Gives every walk its steps again, and ends the rest of those that rested long enough.
    mutating func beginRun() {
        for (app, walk) in walks {
            walks[app]?.stepsInRun = 0
            if let endedAt = walk.endedAt, ContinuousClock.now - endedAt >= Self.rest { walks[app]?.endedAt = nil }
        }
    }

    /// Whether another step of the app's walk is to be taken now; counts it.
    mutating func takesStep(in app: AppID) -> Bool {
        let walk = walks[app, default: Walk()]
        guard walk.endedAt == nil, !isBounded || walk.stepsInRun < Self.stepsPerRun else { return false }
        walks[app, default: Walk()].stepsInRun += 1
        return true
    }

    /// After which question the app's next step begins; nil: at the oldest.
    func position(in app: AppID) -> Identifier? { walks[app]?.position }

    /// Nil: the walk is at its end.
    mutating func move(in app: AppID, to position: Identifier?) {
        walks[app]?.position = position
        if position == nil { walks[app]?.endedAt = .now }
    }

    /// Whether the app's counters are to be looked at now: once an hour.
    mutating func takesCounters(of app: AppID) -> Bool {
        if let last = walks[app]?.countersAt, ContinuousClock.now - last < Self.rest { return false }
        walks[app, default: Walk()].countersAt = .now
        return true
    }
}
