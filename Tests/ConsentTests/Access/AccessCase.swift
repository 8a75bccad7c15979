import Consent

/// One change of one person, with everything a decision about it looks at, and what the table says about it.
struct AccessCase {
    /// How the newest question about the change stands.
    enum Asked: CaseIterable {
        case never, pending, overdue, approved, denied, revoked, rescinded, expired, cancelled
    }

    var facts: PersonFacts
    var policy: Policy
    var isExempt = false
    var asked = Asked.never
    var isAcknowledged = false
    var isRescinded = false
    var hasReturned = false
    var features: [String]? = ["video"]
    /// Where the person's first version, whichever it was, is from.
    var environment = OriginalVersion.Environment.production

    static let now = Samples.second(1_000)
    static let expiration = Samples.second(2_000)
    static let questionID = Identifier(high: 5, low: 5)

    var decision: AccessDecision {
        var facts = facts
        facts.original = OriginalVersion(value: isExempt ? "2.0" : "1.0", kind: .version, environment: environment)
        let change = ChangeInEffect(id: Samples.changeID, features: features, version: "2.0", build: nil)
        return AccessDecision.decide(
            facts, isRescinded: isRescinded, hasReturned: hasReturned, policy: policy, changes: [change],
            questions: asked.brief.map { [Samples.changeID: $0] } ?? [:],
            acknowledged: isAcknowledged ? [Samples.changeID] : [], now: Self.now)
    }

    /// What the table says: its first row, then by the answer.
    var expectedPhase: (phase: AccessDecision.Phase, reason: AccessReason?) {
        if isRescinded { return (.blocked, .consentRescinded) }
        if isExempt { return (.clear, nil) }
        switch RoutingTable.outcome(facts, policy) {
        case .clear, nil: return (.clear, nil)
        case .blocked(let reason): return (.blocked, reason)
        case .acknowledgment: return (isAcknowledged ? .clear : .acknowledge, nil)
        case .guardian:
            switch asked {
            case .never, .overdue, .expired, .cancelled: return (.askGuardian, nil)
            case .rescinded where hasReturned: return (.askGuardian, nil)
            case .pending: return (.awaitingGuardian, nil)
            case .approved: return (.clear, nil)
            case .denied: return (.blocked, .guardianDenied)
            case .revoked, .rescinded: return (.blocked, .guardianRevoked)
            }
        }
    }

    /// Everything that can stand about one change, for these facts under this policy.
    static func all(_ facts: PersonFacts, _ policy: Policy) -> [AccessCase] {
        var cases: [AccessCase] = []
        for asked in Asked.allCases {
            for flags in 0..<12 {
                cases.append(
                    AccessCase(
                        facts: facts, policy: policy, isExempt: flags & 1 != 0, asked: asked,
                        isAcknowledged: flags & 2 != 0, isRescinded: flags / 4 == 1, hasReturned: flags / 4 == 2))
            }
        }
        return cases
    }
}

extension AccessCase.Asked {
    var brief: QuestionBrief? {
        let state: QuestionState
        switch self {
        case .never: return nil
        case .pending, .overdue: state = .pending
        case .approved: state = .approved
        case .denied: state = .denied
        case .revoked, .rescinded: state = .revoked
        case .expired: state = .expired
        case .cancelled: state = .cancelled
        }
        return QuestionBrief(
            id: AccessCase.questionID, state: state,
            expiration: self == .overdue ? AccessCase.now : AccessCase.expiration, isRescinded: self == .rescinded)
    }

    /// The status that a question gives its change, after a return or otherwise.
    func status(hasReturned: Bool = false) -> ChangeStatus {
        switch self {
        case .never: .required
        case .pending: .pending
        case .overdue, .expired: .expired
        case .approved: .approved
        case .denied: .denied
        case .revoked: .revoked
        case .rescinded: hasReturned ? .required : .revoked
        case .cancelled: .cancelled
        }
    }
}
