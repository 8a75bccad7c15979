/// How the facts about a person become a decision.
extension AccessDecision {
    /// Decides what a person may do at a moment.
    ///
    /// - Parameters:
    ///   - isRescinded: whether consent to use the app at all is taken back now.
    ///   - hasReturned: whether the household ever came back.
    ///   - changes: every change in effect, each once.
    ///   - until: when the next change takes effect; nil where none is to come.
    ///   - questions: by change, the newest question about the person and that change.
    ///   - acknowledged: the changes that the person acknowledged.
    package static func decide(
        _ facts: PersonFacts, isRescinded: Bool, hasReturned: Bool = false, policy: Policy, changes: [ChangeInEffect],
        until: Instant? = nil,
        questions: [CallerID: QuestionBrief], acknowledged: Set<CallerID>, now: Instant
    ) -> AccessDecision {
        let routing = Routing(facts, policy: policy)
        let answering = Answering(facts, routing, policy)
        let exemption = Exemption(facts.original, policy: policy)
        var strictest = Strictest()
        if let until { strictest.holds(until: until) }
        var standings: [ChangeAccess] = []
        standings.reserveCapacity(changes.count)
        for change in changes {
            if exemption.covers(change) {
                standings.append(ChangeAccess(change: change.id, status: .exempt))
                continue
            }
            var status = ChangeStatus.required
            var question: Identifier?
            switch answering {
            case .person:
                if acknowledged.contains(change.id) { status = .acknowledged }
            case .guardian:
                if let asked = questions[change.id],
                    let told = asked.status(isBack: hasReturned && !isRescinded, at: now)
                {
                    status = told
                    question = asked.id
                    if told == .pending { strictest.holds(until: asked.expiration) }
                }
            }
            standings.append(ChangeAccess(change: change.id, status: status, question: question))
            strictest.add(change, phase: routing.phase(status), reason: routing.reason(status))
        }
        if isRescinded { strictest.rescind() }
        return strictest.decision(standings, isUnsupported: facts.duties == .unsupported)
    }

    /// Whose word about a change counts.
    private enum Answering {
        case person, guardian

        /// Where nobody has to say anything, or it would not help, a known adult still speaks for themselves.
        init(_ facts: PersonFacts, _ routing: Routing, _ policy: Policy) {
            switch routing {
            case .guardian: self = .guardian
            case .acknowledgment: self = .person
            case .clear, .blocked:
                switch AgeGroup(facts.ageRange, adultAge: policy.adultAge(of: facts)) {
                case .adultConfirmed, .adultNotConfirmed: self = .person
                case .minor, .unknown, .declined: self = .guardian
                }
            }
        }
    }

    /// What the changes looked at so far come to.
    private struct Strictest {
        private var phase = Phase.clear
        private var reason: AccessReason?
        private var app = false
        private var features: [String] = []
        private var validUntil: Instant?

        mutating func add(_ change: ChangeInEffect, phase: Phase, reason: AccessReason?) {
            guard phase > .clear else { return }
            self.phase = max(self.phase, phase)
            // All of a person's changes are blocked for one reason, but where guardians said different things about them.
            if self.reason == nil || reason == .guardianRevoked { self.reason = reason }
            if let names = change.features, !names.isEmpty {
                features += names
            } else {
                app = true
            }
        }

        mutating func holds(until moment: Instant) {
            validUntil = min(validUntil ?? moment, moment)
        }

        mutating func rescind() {
            phase = .blocked
            reason = .consentRescinded
            app = true
        }

        func decision(_ standings: [ChangeAccess], isUnsupported: Bool) -> AccessDecision {
            AccessDecision(
                phase: phase, reason: reason, blocked: app ? .app : .features(Names.sortedSet(features)),
                changes: standings, validUntil: validUntil, isUnsupported: isUnsupported)
        }
    }
}

extension QuestionBrief {
    /// The status that the question gives its change. Nil once the household is back after a rescission that ended it:
    /// then a guardian has to be asked again.
    fileprivate func status(isBack: Bool, at now: Instant) -> ChangeStatus? {
        switch state {
        case .pending: now >= expiration ? .expired : .pending
        case .approved: .approved
        case .denied: .denied
        case .revoked: isRescinded && isBack ? nil : .revoked
        case .expired: .expired
        case .cancelled: .cancelled
        }
    }
}

extension Routing {
    /// What a change that is open and of this status asks for.
    fileprivate func phase(_ status: ChangeStatus) -> AccessDecision.Phase {
        switch self {
        case .clear: return .clear
        case .blocked: return .blocked
        case .acknowledgment: return status == .acknowledged ? .clear : .acknowledge
        case .guardian:
            switch status {
            case .approved: return .clear
            case .pending: return .awaitingGuardian
            case .denied, .revoked: return .blocked
            case .required, .expired, .cancelled: return .askGuardian
            // Exempt changes are not open, and no acknowledgment stands for a guardian's consent.
            case .exempt, .acknowledged: return .askGuardian
            }
        }
    }

    fileprivate func reason(_ status: ChangeStatus) -> AccessReason? {
        switch self {
        case .clear, .acknowledgment: return nil
        case .blocked(let reason): return reason
        case .guardian:
            switch status {
            case .denied: return .guardianDenied
            case .revoked: return .guardianRevoked
            case .exempt, .required, .pending, .approved, .expired, .cancelled, .acknowledged: return nil
            }
        }
    }
}
