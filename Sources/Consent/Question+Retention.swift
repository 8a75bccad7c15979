/// What a resolved question is still kept for.
extension Question {
    /// What there is about a question that its own row does not tell.
    package struct Surroundings: Sendable, Hashable {
        /// Whether there is an earlier question about the same person and subject.
        package let followsAnother: Bool
        /// Whether there is a later one.
        package let isFollowed: Bool
        /// When the change that it is about was withdrawn; nil where it was not, and for other topics.
        package let changeWithdrawnAt: Instant?

        package init(followsAnother: Bool, isFollowed: Bool, changeWithdrawnAt: Instant? = nil) {
            self.followsAnother = followsAnother
            self.isFollowed = isFollowed
            self.changeWithdrawnAt = changeWithdrawnAt
        }
    }

    /// Whether nothing would be decided otherwise, now or later and under whatever policy, if the question were not there.
    ///
    /// It must be resolved, past its expiration and unchanged for as long as is said. Then it may go
    /// - about a change, where a later one speaks for the person and no guardian refused it, since a store may tell of an
    ///   approval from before that; or where the change was withdrawn as long ago and no earlier question would come to
    ///   speak instead: before that it is the consent, or says why there is none;
    /// - about anything else, superseded, always;
    /// - about anything else, expired or cancelled, always; denied or revoked, once no policy could hold that against asking
    ///   again; approved, only where the approval was for once. The latter two only where no earlier one is left, which
    ///   would come to stand in its place.
    ///
    /// - Parameter seconds: how long such questions are kept.
    package func isDispensable(_ around: Surroundings, keptSeconds seconds: Int, at now: Instant) -> Bool {
        let limit = now.adding(seconds: -Int64(seconds))
        guard state != .pending, expiration < limit, updatedAt < limit else { return false }
        if topic.kind == .significantAppUpdate {
            if around.isFollowed, state != .approved, refusedAt == nil { return true }
            guard let withdrawnAt = around.changeWithdrawnAt, withdrawnAt < limit else { return false }
            return supersededBy != nil || !around.isFollowed && !around.followsAnother
        }
        if supersededBy != nil { return true }
        switch state {
        case .pending: return false
        case .expired, .cancelled: return true
        case .denied, .revoked:
            return updatedAt.adding(seconds: Int64(Policy.longestAskAgain)) < now && !around.followsAnother
        case .approved: return !topic.approvalStands && !around.followsAnother
        }
    }

    /// Whether the question is what a change's progress counts for its person.
    package func isCounted(_ around: Surroundings) -> Bool {
        topic.kind == .significantAppUpdate && !around.isFollowed
    }
}
