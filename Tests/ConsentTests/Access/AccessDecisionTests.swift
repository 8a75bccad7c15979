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

    @Test("of what is unknown, each kind clears where the policy for just that kind says so, and nowhere else")
    func unknownClearsByPolicyOnly() {
        var wrong: [AccessCase] = []
        for age in RoutingProduct.fewAges {
            for duties in RoutingProduct.duties {
                let facts = PersonFacts(ageRange: age, duties: duties)
                guard let treatment = Self.treatment(of: facts) else { continue }
                for policy in RoutingProduct.policies {
                    let alone = AccessCase(facts: facts, policy: policy)
                    var approved = alone
                    approved.asked = .approved
                    approved.isAcknowledged = true
                    // Nobody's word helps against a policy that blocks; one that asks for a word is satisfied by it,
                    // but for an adult whom nobody confirmed.
                    let isDoubtful = AgeGroup(age) == .adultNotConfirmed && policy.adultNotConfirmed == .block
                    let isSatisfied =
                        switch policy[keyPath: treatment] {
                        case .clear: true
                        case .treatAsMinor: !isDoubtful
                        case .block: false
                        }
                    if (alone.decision.phase == .clear) != (policy[keyPath: treatment] == .clear)
                        || (approved.decision.phase == .clear) != isSatisfied
                    {
                        wrong.append(alone)
                    }
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(3))")
    }

    /// The policy for what is not known of a person; nil where all that matters is known.
    private static func treatment(of facts: PersonFacts) -> WritableKeyPath<Policy, Policy.Treatment>? {
        switch facts.duties {
        case .features([]): return nil
        case .unsupported: return \.featuresUnsupported
        case .unavailable, .notTold: return \.featuresUnavailable
        case .features(let names):
            if names.contains("somethingNew") { return \.featuresUnknown }
            switch AgeGroup(facts.ageRange) {
            case .declined: return \.ageRangeDeclined
            case .unknown: return \.ageUnknown
            case .minor, .adultConfirmed, .adultNotConfirmed: return nil
            }
        }
    }

    @Test("a looser policy never blocks more")
    func loosening() {
        let looser: [Policy.Treatment: Policy.Treatment] = [.block: .treatAsMinor, .treatAsMinor: .clear]
        var wrong: [AccessCase] = []
        for one in Self.everybody {
            let before = one.decision
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
                let after = loose.decision
                if after.phase > before.phase || !after.blocked.isWithin(before.blocked) { wrong.append(loose) }
            }
            guard one.isExempt else { continue }
            var sandbox = one
            sandbox.environment = .sandbox
            let strict = sandbox.decision
            sandbox.policy.sandboxExempts = true
            let loose = sandbox.decision
            if loose != before || loose.phase > strict.phase || !loose.blocked.isWithin(strict.blocked) {
                wrong.append(sandbox)
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

extension AccessDecision.Blocked {
    fileprivate func isWithin(_ other: AccessDecision.Blocked) -> Bool {
        switch (self, other) {
        case (_, .app): true
        case (.app, .features): false
        case (.features(let some), .features(let all)): Set(some).isSubset(of: all)
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
