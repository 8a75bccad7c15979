/// Whether a question is asked anew, stands already, or cannot be asked.
package enum Asking {
    /// Decides about a posted question.
    ///
    /// - Parameters:
    ///   - change: the registered change that the topic names; nil when there is none, or for other topics.
    ///   - standing: the newest question about the same person and subject that was not superseded, with its answers.
    ///   - random: 64 fresh random bits for the new question's id.
    package static func decide(
        _ request: AskRequest, person: Person, change: Change?, standing: Question?, policy: Policy, now: Instant,
        random: UInt64
    ) -> AskVerdict {
        let now = max(now, standing?.updatedAt ?? now)
        if let refusal = refusal(request, person: person, change: change, policy: policy, now: now) {
            return .refused(refusal)
        }
        let id = Identifier(createdAt: now, random: random)
        var before: [EarlierChange] = []
        if let standing {
            switch earlier(standing, asked: request.topic, successor: id, policy: policy, now: now) {
            case .answers: return .existing(standing)
            case .refuses(let refusal): return .refused(refusal)
            case .givesWay(let changes): before = changes
            }
        }
        let quorum = request.quorum ?? policy.defaultQuorum
        guard person.reachable(quorum: quorum, policy: policy) else {
            return .refused(.quorumUnreachable(links: person.guardians.count, quorum: quorum))
        }
        let text = request.text(change: change)
        let question = Question(
            id: id, personRef: person.ref, topic: request.topic, description: text.description,
            language: text.language, quorum: quorum,
            expiration: request.expiration ?? now.adding(seconds: Int64(policy.defaultExpirationSeconds)),
            createdAt: now)
        return .create(question, before: before)
    }

    /// What rules the question out whatever was asked before.
    private static func refusal(
        _ request: AskRequest, person: Person, change: Change?, policy: Policy, now: Instant
    ) -> Refusal? {
        if person.isRescinded { return .consentRescinded(nil) }
        if person.facts.ageRange.startsAtAdultAge { return .notAvailable }
        if request.topic.kind == .significantAppUpdate, change == nil { return .changeNotRegistered }
        if let change, change.withdrawal != nil { return .changeWithdrawn(change) }
        return refusal(expiration: request.expiration, policy: policy, now: now)
    }

    /// What rules out an expiration that was asked for.
    static func refusal(expiration: Instant?, policy: Policy, now: Instant) -> Refusal? {
        guard let expiration else { return nil }
        if expiration <= now { return .expirationNotAfterNow(now: now) }
        let latest = now.adding(seconds: Int64(policy.longestExpirationSeconds))
        return expiration > latest ? .expirationTooFar(latest: latest) : nil
    }

    /// What the question asked earlier means for asking again.
    private enum Earlier {
        case answers
        case refuses(Refusal)
        case givesWay([EarlierChange])
    }

    private static func earlier(
        _ standing: Question, asked topic: Topic, successor: Identifier, policy: Policy, now: Instant
    ) -> Earlier {
        switch standing.effective(at: now).state {
        case .pending: return .answers
        case .approved:
            // One that was given for once never serves again, and one that is wanted for once is never an earlier one.
            return standing.topic.approvalStands && topic.approvalStands ? .answers : .givesWay([])
        case .denied, .revoked:
            if let until = standing.askAgain(policy: policy), now < until {
                return .refuses(.deniedRecently(standing, until: until, now: now))
            }
            return .givesWay(changes(standing, .supersede(by: successor), at: now))
        case .expired: return .givesWay(changes(standing, .deadline, at: now))
        case .cancelled: return .givesWay([])
        }
    }

    private static func changes(_ standing: Question, _ input: QuestionInput, at now: Instant) -> [EarlierChange] {
        switch standing.applying(input, at: now) {
        case .changed(let question, let event, recorded: _): [EarlierChange(question: question, event: event)]
        case .unchanged, .refused: []
        }
    }
}

extension Question {
    /// From when on a question that a guardian refused may be asked again; nil where no guardian's word stands against
    /// it, such as after a rescission.
    package func askAgain(policy: Policy) -> Instant? {
        refusedAt?.adding(seconds: Int64(policy.askAgainSeconds))
    }

    /// When a guardian refused it; nil where none did, or where they have changed their mind.
    package var refusedAt: Instant? {
        guard state == .denied || state == .revoked, let resolution, case .guardian = resolution.by else { return nil }
        return resolution.at
    }
}
