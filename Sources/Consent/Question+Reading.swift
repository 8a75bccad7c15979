/// How a stored question reads at a moment.
extension Question {
    /// The question as anybody must see it at a moment: a pending one past its expiration reads `expired`, resolved by
    /// silence at the expiration, exactly as the sweep will store it. Revision and `updatedAt` stay as stored.
    package func effective(at now: Instant) -> Question {
        guard isOverdue(at: now) else { return self }
        var reading = self
        reading.state = .expired
        reading.resolution = silence
        return reading
    }

    /// What could be accepted at a moment, from some guardian or from the child's side, and make a difference.
    package func allowedActions(at now: Instant) -> [AllowedAction] {
        switch (state, isPastExpiration(at: now)) {
        case (.pending, false): [.approve, .deny, .cancel]
        case (.approved, _): [.deny]
        case (.denied, false): supersededBy == nil ? [.approve] : []
        case (.revoked, false): supersededBy == nil && !isRescinded ? [.approve] : []
        case (.pending, true), (.denied, true), (.revoked, true), (.expired, _), (.cancelled, _): []
        }
    }

    /// Whether the expiration has passed; at exactly the expiration it has.
    package func isPastExpiration(at now: Instant) -> Bool {
        now >= expiration
    }

    /// Whether the question is stored as pending although its expiration has passed.
    package func isOverdue(at now: Instant) -> Bool {
        state == .pending && isPastExpiration(at: now)
    }

    /// Whether consent was taken back as a whole: then no answer to this question counts any more.
    var isRescinded: Bool {
        state == .revoked && resolution?.by == .rescission
    }

    /// How an expired question was resolved: at its expiration, whenever that was noticed.
    var silence: Resolution {
        Resolution(by: .silence, at: expiration, reason: nil)
    }
}
