import Consent
import Testing

/// What a decision sends somebody to do is taken when they do it.
@Suite struct NextStepTests {
    private static let policies = RoutingProduct.fewPolicies + RoutingProduct.regional

    private func person(_ facts: PersonFacts) -> Person {
        var person = Samples.person()
        person.facts = facts
        return person
    }

    @Test("whoever has to acknowledge may, and about whoever has to be asked a question is taken")
    func steps() {
        var wrong: [String] = []
        for policy in Self.policies {
            for age in RoutingProduct.ages {
                for duties in RoutingProduct.duties {
                    let facts = PersonFacts(ageRange: age, duties: duties, region: "BR")
                    switch AccessCase(facts: facts, policy: policy).decision.phase {
                    case .clear, .awaitingGuardian, .blocked: continue
                    case .acknowledge:
                        let verdict = Acknowledging.decide(
                            person: person(facts), change: Samples.change(), existing: nil, policy: policy,
                            now: AccessCase.now)
                        if case .created = verdict { continue }
                    case .askGuardian:
                        let verdict = Asking.decide(
                            Samples.ask(), person: person(facts), change: Samples.change(), standing: nil,
                            policy: policy, now: AccessCase.now, random: 7)
                        if case .create = verdict { continue }
                    }
                    wrong.append("\(facts) \(policy)")
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(3))")
    }
}
