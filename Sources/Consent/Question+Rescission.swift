/// What a rescission does to one question.
extension Question {
    /// A pending question is cancelled where the rescission ends such questions; an approved one is revoked for good,
    /// unless enough guardians approved it after the rescission. What is refused already stays refused.
    func rescinded(upTo horizon: Instant, endsPending: Bool, reason: String?, at now: Instant) -> Verdict {
        var next = self
        switch effective(at: now).state {
        case .pending where endsPending: next.state = .cancelled
        case .approved where approvals(after: horizon) < quorum: next.state = .revoked
        case .pending, .approved, .denied, .revoked, .expired, .cancelled: return .unchanged
        }
        next.revision += 1
        next.updatedAt = now
        next.resolution = Resolution(by: .rescission, at: now, reason: reason)
        return .changed(next, next.state.event, recorded: nil)
    }

    /// The question after approvals up to a moment were taken out of the count; nil where none counted that could ever
    /// help to approve it. As after an unlink, state, revision and the moment of the last change stay.
    func voidingApprovals(upTo horizon: Instant, at now: Instant) -> Question? {
        guard !isPastExpiration(at: max(now, updatedAt)), supersededBy == nil, !isRescinded else { return nil }
        switch state {
        case .approved, .expired, .cancelled: return nil
        case .pending, .denied, .revoked: break
        }
        var next = self
        for index in latestAnswers.indices where latestAnswers[index].isCountedApproval {
            if latestAnswers[index].at <= horizon { next.latestAnswers[index].voidedAt = max(now, updatedAt) }
        }
        return next == self ? nil : next
    }

    private func approvals(after horizon: Instant) -> Int {
        latestAnswers.count { $0.isCountedApproval && $0.at > horizon }
    }
}

extension GuardianAnswer {
    var isCountedApproval: Bool { kind == .approval && voidedAt == nil }
}
