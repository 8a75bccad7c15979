import Consent
import Testing

/// Decisions about one change over the whole product, and about several.
@Suite struct AccessDecisionTests {
    private static let everybody: [AccessCase] = RoutingProduct.fewAges.flatMap { age in
        RoutingProduct.duties.flatMap { duties in
            RoutingProduct.fewPolicies.flatMap { AccessCase.all(PersonFacts(ageRange: age, duties: duties), $0) }
        }
    }

    @Test("every age, duty, policy, change, question, acknowledgment and rescission, held against the table")
    func wholeProduct() {
        var wrong: [AccessCase] = []
        for one in Self.everybody {
            let decision = one.decision
            let expected = one.expectedPhase
            let blocked: AccessDecision.Blocked =
                one.isRescinded ? .app : .features(expected.phase == .clear ? [] : ["video"])
            if decision.phase != expected.phase || decision.reason != expected.reason || decision.blocked != blocked {
                wrong.append(one)
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(3))")
    }

    @Test(
        "an exempt change is exempt; else a known adult's status is their acknowledgment, anybody else's the question's"
    )
    func statuses() {
        var wrong: [AccessCase] = []
        for one in Self.everybody {
            let isAdult = one.facts.ageRange.startsAtAdultAge
            let expected: ChangeStatus =
                one.isExempt
                ? .exempt
                : isAdult
                    ? (one.isAcknowledged ? .acknowledged : .required)
                    : one.asked.status(hasReturned: one.hasReturned)
            let isQuestions = ![.exempt, .required, .acknowledged].contains(expected)
            let change = ChangeAccess(
                change: Samples.changeID, status: expected, question: isQuestions ? AccessCase.questionID : nil)
            if one.decision.changes != [change] { wrong.append(one) }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(3))")
    }

    @Test("invariants: a rescission always blocks, an empty set clears without one, what it ended never clears")
    func invariants() {
        var wrong: [AccessCase] = []
        for one in Self.everybody {
            let decision = one.decision
            let isClear = decision.phase == .clear
            let unknown =
                ![.minor, .adultConfirmed, .adultNotConfirmed].contains(AgeGroup(one.facts.ageRange))
                || one.facts.duties == .unavailable || one.facts.duties == .notTold
            let policyClears = Treatments.all.contains { one.policy[keyPath: $0] == .clear }
            let holds =
                (!one.isRescinded || (decision.phase == .blocked && decision.blocked == .app))
                && (one.isRescinded || one.facts.duties != .features([]) || isClear)
                && (decision.reason != nil) == (decision.phase == .blocked)
                && (isClear == (decision.blocked == .features([])))
                // What is unknown clears nobody by itself: a policy does, or an approval, or nothing is open or required.
                && (!isClear || !unknown || policyClears || one.isExempt || one.facts.duties == .features([])
                    || one.facts.duties == .unsupported || one.asked == .approved
                    || (one.facts.ageRange.startsAtAdultAge && one.isAcknowledged))
                && (one.asked != .rescinded || !isClear || one.decisionWithout(.approved) == .clear)
            if !holds { wrong.append(one) }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(3))")
    }

    @Test("a looser policy never blocks more")
    func loosening() {
        let looser: [Policy.Treatment: Policy.Treatment] = [.block: .treatAsMinor, .treatAsMinor: .clear]
        var wrong: [AccessCase] = []
        for one in Self.everybody where !one.isExempt {
            let before = one.decision.phase
            var policies: [Policy] = []
            for path in Treatments.all {
                guard let treatment = looser[one.policy[keyPath: path]] else { continue }
                var policy = one.policy
                policy[keyPath: path] = treatment
                policies.append(policy)
            }
            if one.policy.adultNotConfirmed == .block {
                var policy = one.policy
                policy.adultNotConfirmed = .acknowledge
                policies.append(policy)
            }
            for policy in policies {
                var loose = one
                loose.policy = policy
                if loose.decision.phase > before { wrong.append(loose) }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(3))")
    }

    @Test("no change in effect clears everybody but the rescinded")
    func noChange() {
        for age in RoutingProduct.ages {
            for duties in RoutingProduct.duties {
                for isRescinded in [false, true] {
                    let decision = AccessDecision.decide(
                        PersonFacts(ageRange: age, duties: duties), isRescinded: isRescinded, policy: Policy(),
                        changes: [], questions: [:], acknowledged: [], now: AccessCase.now)
                    let expected = AccessDecision(
                        phase: isRescinded ? .blocked : .clear, reason: isRescinded ? .consentRescinded : nil,
                        blocked: isRescinded ? .app : .features([]), changes: [], validUntil: nil,
                        isUnsupported: duties == .unsupported)
                    #expect(decision == expected)
                }
            }
        }
    }
}

extension AccessCase {
    /// The phase, had the question stood differently: for those whom no question decides it is the same.
    fileprivate func decisionWithout(_ state: Asked) -> AccessDecision.Phase {
        var other = self
        other.asked = state == .approved ? .denied : .approved
        return other.decision.phase
    }
}
