/// What an approval that a store tells of settles.
///
/// Google Play's approvals are cumulative: one settles every change that was there when it was given, and the store tells
/// only of the last one. Here consent is per change, so it becomes an answer to a question about each of them, as of the
/// moment it was given: whatever voids, revokes or counts a guardian's approval does so with a store's.
package enum StoreApproving {
    /// In whose name a store's approval is given; the store does not say which parent gave it.
    package static let guardian = CallerID(trusted: "google-play")
    /// How that guardian was verified, for policies that demand it.
    package static let method = "playStore"

    /// What becomes of one change.
    package enum Step: Sendable, Hashable {
        /// Nothing: it is approved already, or does not concern the person, or what came after the approval counts.
        case nothing
        /// The question that waits is answered.
        case answers(Question)
        /// It is to be asked first.
        case asks(AskRequest)
    }

    /// Decides about one change.
    ///
    /// - Parameters:
    ///   - standing: the newest question about the person and the change.
    ///   - refusedAt: when a guardian's last refusal decided a question about the person and the change, whichever that was:
    ///     a question that was asked since does not make an approval from before it count again.
    ///   - rescissions: all that are known of the person.
    package static func step(
        approvedAt: Instant, change: Change, person: Person, standing: Question?, refusedAt: Instant? = nil,
        rescissions: [Rescission], policy: Policy, now: Instant
    ) -> Step {
        let settings = change.settings
        guard !person.isRescinded, change.isInEffect(at: now), change.createdAt <= approvedAt,
            refusedAt.map({ $0 < approvedAt }) ?? true,
            settings.effectiveFrom ?? approvedAt <= approvedAt,
            !Exemption(person.facts.original, policy: policy).covers(ChangeInEffect(change)),
            !rescissions.contains(where: { $0.voids(approvedAt, of: change.id, person, policy) })
        else { return .nothing }
        if let standing {
            switch standing.effective(at: now).state {
            case .pending: return .answers(standing)
            case .approved: return .nothing
            case .denied, .revoked, .expired, .cancelled: break
            }
        }
        return .asks(
            AskRequest(person: person.id, topic: .significantAppUpdate(change: change.id)))
    }

    /// The policy by which a change is asked about that was approved already: nobody has to wait for that.
    package static func asking(_ policy: Policy) -> Policy {
        var policy = policy
        policy.askAgainSeconds = 0
        return policy
    }
}

extension Question {
    /// What comes of a store's approval, which counts from when it was given, not from now.
    package func approvedByStore(at approvedAt: Instant, policy: Policy, now: Instant) -> Verdict {
        let request = AnswerRequest(
            guardian: StoreApproving.guardian, kind: .approval,
            verification: Verification(method: StoreApproving.method, reference: nil))
        let verdict = applying(.answer(request, mayAnswer: true, methods: policy.verificationMethods), at: now)
        guard case .changed(var next, let event, let recorded?) = verdict else { return verdict }
        let answer = GuardianAnswer(
            guardian: recorded.guardian, kind: recorded.kind, reason: recorded.reason,
            verification: recorded.verification, at: min(approvedAt, recorded.at), revision: recorded.revision)
        next.latestAnswers = next.latestAnswers.map { $0 == recorded ? answer : $0 }
        return .changed(next, event, recorded: answer)
    }
}

extension Rescission {
    /// Whether it voids what was approved at a moment for the person and a change.
    fileprivate func voids(_ approvedAt: Instant, of change: CallerID, _ person: Person, _ policy: Policy) -> Bool {
        guard scope == .person || scope == .change(change) else { return false }
        let margin = notice == nil ? 0 : policy.rescissionMarginSeconds
        let end = effectiveAt.adding(seconds: Int64(margin))
        let returned = [endedAt, person.returnedAt].compactMap { $0 }.filter { $0 > effectiveAt }.min()
        return approvedAt <= end && (returned.map { approvedAt < $0 } ?? true)
    }
}
