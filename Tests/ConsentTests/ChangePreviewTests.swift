import Consent
import Testing

/// A preview says of everybody what the decision about access says once the change is registered.
@Suite struct ChangePreviewTests {
    private static let change = ChangeInEffect(
        id: Samples.changeID, features: nil, version: "2.0", build: nil)

    private func decision(_ facts: PersonFacts, _ policy: Policy) -> AccessDecision {
        AccessDecision.decide(
            facts, isRescinded: false, policy: policy, changes: [Self.change], questions: [:], acknowledged: [],
            now: Samples.start)
    }

    private func effect(_ decision: AccessDecision) -> ChangePreview.Effect? {
        if decision.changes.first?.status == .exempt { return .exempt }
        switch decision.phase {
        case .clear: return .clear
        case .acknowledge: return .acknowledge
        case .askGuardian: return .askGuardian
        case .blocked: return .blocked
        case .awaitingGuardian: return nil
        }
    }

    @Test("all kinds of age, duties, original versions and policies") func agreesWithTheDecision() {
        var disagreements = 0
        var seen: Set<ChangePreview.Effect> = []
        for age in RoutingProduct.ages {
            for duties in RoutingProduct.duties {
                for policy in RoutingProduct.fewPolicies {
                    for original in [nil, "1.9", "2.0", "2.0.1"] {
                        let facts = PersonFacts(
                            ageRange: age, duties: duties,
                            original: original.map {
                                OriginalVersion(value: $0, kind: .version, environment: .production)
                            })
                        var preview = ChangePreview()
                        preview.add(facts, count: 7, change: Self.change, policy: policy)
                        guard let effect = effect(decision(facts, policy)) else {
                            disagreements += 1
                            continue
                        }
                        seen.insert(effect)
                        if preview.counts[effect] != 7 || preview.persons != 7 { disagreements += 1 }
                    }
                }
            }
        }
        #expect(disagreements == 0 && seen.count == ChangePreview.Effect.allCases.count)
    }

    @Test("groups add up, and every effect is there") func addsUp() {
        var preview = ChangePreview()
        #expect(preview.persons == 0 && preview.counts.count == ChangePreview.Effect.allCases.count)
        let none = PersonFacts(duties: .features([]))
        preview.add(none, count: 3, change: Self.change, policy: Policy())
        preview.add(none, count: 4, change: Self.change, policy: Policy())
        preview.add(PersonFacts(), count: 5, change: Self.change, policy: Policy())
        #expect(preview.counts[.clear] == 7 && preview.counts[.blocked] == 5 && preview.persons == 12)
    }

    @Test("a change to come limits how long a decision holds") func nextChange() {
        let until = Samples.second(90)
        for (changes, expected): ([ChangeInEffect], Instant) in [([], until), ([Self.change], Samples.second(60))] {
            let brief = QuestionBrief(
                id: Identifier(high: 1, low: 1), state: .pending, expiration: Samples.second(60), isRescinded: false)
            let facts = PersonFacts(
                ageRange: .range(lower: 13, upper: 15, declaration: nil),
                duties: .features([Duty.significantAppChangeRequiresParentalConsent.rawValue]))
            let decision = AccessDecision.decide(
                facts, isRescinded: false, policy: Policy(), changes: changes, until: until,
                questions: [Samples.changeID: brief], acknowledged: [], now: Samples.start)
            #expect(decision.validUntil == expected)
        }
    }
}
