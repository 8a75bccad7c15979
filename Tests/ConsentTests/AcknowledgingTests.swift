import Consent
import Testing

@Suite struct AcknowledgingTests {
    private let now = Samples.second(60)
    private let given = Acknowledgment(personRef: Samples.ref, change: Samples.changeID, at: Samples.start)

    private func decide(
        _ range: AgeRange, existing: Acknowledgment? = nil, policy: Policy = Policy()
    ) -> AcknowledgeVerdict {
        Acknowledging.decide(
            person: Samples.person(ageRange: range), change: Samples.change(), existing: existing, policy: policy,
            now: now)
    }

    static let ranges: [(AgeRange, Refusal?)] = [
        (.range(lower: 18, upper: nil, declaration: "confirmed"), nil),
        (.range(lower: 18, upper: nil, declaration: "selfDeclared"), .adultNotConfirmed),
        (.range(lower: 18, upper: nil, declaration: nil), .adultNotConfirmed),
        (.range(lower: 13, upper: 17, declaration: "confirmed"), .notAnAdult),
        (.range(lower: 15, upper: nil, declaration: "confirmed"), .ageUnknown),
        (.declined, .ageUnknown),
        (.notTold, .ageUnknown),
    ]

    @Test("a confirmed adult acknowledges; others are told why not", arguments: ranges)
    func ages(range: AgeRange, refusal: Refusal?) {
        let created = Acknowledgment(personRef: Samples.ref, change: Samples.changeID, at: now)
        #expect(decide(range) == refusal.map { .refused($0) } ?? .created(created))
    }

    @Test("the policy lets unconfirmed adults acknowledge, and nobody else", arguments: ranges)
    func policy(range: AgeRange, refusal: Refusal?) {
        let created = Acknowledgment(personRef: Samples.ref, change: Samples.changeID, at: now)
        let verdict = decide(range, policy: Policy(adultNotConfirmed: .acknowledge))
        if refusal == nil || refusal == .adultNotConfirmed {
            #expect(verdict == .created(created))
        } else {
            #expect(verdict == refusal.map { .refused($0) })
        }
    }

    @Test("one that was given stays, whatever is known of the person now", arguments: ranges)
    func existing(range: AgeRange, refusal: Refusal?) {
        #expect(decide(range, existing: given) == .unchanged(given))
    }

    @Test("where a region's age of self-consent holds, people of that age acknowledge")
    func selfConsent() {
        let policy = Policy(regions: [RegionPolicy(region: "BR", duties: Duty.allCases, selfConsentAge: 16)])
        func refusal(_ lower: Int, _ upper: Int, _ region: String, _ duties: RegulatoryFeatures = .notTold) -> Refusal?
        {
            var person = Samples.person(ageRange: .range(lower: lower, upper: upper, declaration: "confirmed"))
            person.facts.region = region
            person.facts.duties = duties
            let verdict = Acknowledging.decide(
                person: person, change: Samples.change(), existing: nil, policy: policy, now: now)
            if case .refused(let refusal) = verdict { return refusal }
            return nil
        }
        #expect(refusal(16, 17, "BR") == nil)
        #expect(refusal(13, 15, "BR") == .notAnAdult)
        #expect(refusal(15, 16, "BR") == .ageUnknown)
        #expect(refusal(16, 17, "AR") == .notAnAdult)
        #expect(refusal(16, 17, "BR", .features([])) == .notAnAdult)
    }

    @Test("who or what does not exist is named, the person first")
    func unknown() {
        let person = Samples.person()
        let change = Samples.change()
        #expect(
            Acknowledging.decide(person: nil, change: nil, existing: nil, policy: Policy(), now: now)
                == .refused(.unknownPerson))
        #expect(
            Acknowledging.decide(person: nil, change: change, existing: given, policy: Policy(), now: now)
                == .refused(.unknownPerson))
        #expect(
            Acknowledging.decide(person: person, change: nil, existing: nil, policy: Policy(), now: now)
                == .refused(.unknownChange))
    }
}
