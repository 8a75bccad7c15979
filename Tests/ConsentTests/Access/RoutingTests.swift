import Consent
import Testing

/// Where facts and policy lead, over everything that can be known of a person.
@Suite struct RoutingTests {
    @Test("every age, declaration, set of duties and policy, held against the table")
    func wholeProduct() {
        var wrong: [String] = []
        for age in RoutingProduct.ages {
            for duties in RoutingProduct.duties {
                let facts = PersonFacts(ageRange: age, duties: duties)
                for policy in RoutingProduct.policies
                where Routing(facts, policy: policy) != RoutingTable.outcome(facts, policy) {
                    wrong.append("\(facts) \(policy)")
                }
            }
        }
        #expect(wrong == [])
    }

    @Test("a region's duties and age of self-consent stand in where nobody told of duties, and only there")
    func regions() {
        for policy in RoutingProduct.regional {
            for age in RoutingProduct.ages {
                for code in ["BR", "BR-SP", "DE", "br", nil] {
                    for duties in [.notTold, .unavailable, .features(Duty.allCases.map(\.rawValue))]
                        as [RegulatoryFeatures]
                    {
                        let facts = PersonFacts(ageRange: age, duties: duties, region: code)
                        let routing = Routing(facts, policy: policy)
                        #expect(routing == RoutingTable.outcome(facts, policy))
                        if duties != .notTold || code == nil || code == "DE" || code == "br" {
                            #expect(routing == Routing(facts, policy: Policy()))
                        }
                    }
                }
            }
        }
    }

    @Test("with an age of self-consent of 16, a person of 16 or 17 acknowledges")
    func selfConsent() {
        let policy = Policy(
            regions: [RegionPolicy(region: "BR", duties: Duty.allCases, selfConsentAge: 16)])
        func routing(_ lower: Int?, _ upper: Int?, _ region: String) -> Routing {
            let range = AgeRange.range(lower: lower, upper: upper, declaration: "confirmed")
            return Routing(PersonFacts(ageRange: range, region: region), policy: policy)
        }
        #expect(routing(16, 17, "BR-SP") == .acknowledgment)
        #expect(routing(13, 15, "BR-SP") == .guardian)
        #expect(routing(15, 17, "BR-SP") == .blocked(.ageUnknown))
        #expect(routing(16, 17, "AR") == .blocked(.featuresUnavailable))
    }

    @Test("what is not known blocks by default, but for devices too old to know")
    func defaults() {
        func routing(_ age: AgeRange, _ duties: RegulatoryFeatures) -> Routing {
            Routing(PersonFacts(ageRange: age, duties: duties), policy: Policy())
        }
        let adult = AgeRange.range(lower: 18, upper: nil, declaration: "confirmed")
        let all = RegulatoryFeatures.features(Duty.allCases.map(\.rawValue))
        #expect(routing(adult, .unavailable) == .blocked(.featuresUnavailable))
        #expect(routing(adult, .notTold) == .blocked(.featuresUnavailable))
        #expect(routing(adult, .features(["new"])) == .blocked(.featuresUnknown))
        #expect(routing(adult, .unsupported) == .clear)
        #expect(routing(.declined, all) == .blocked(.ageRangeDeclined))
        #expect(routing(.notTold, all) == .blocked(.ageUnknown))
        #expect(routing(.notTold, .features([])) == .clear)
    }
}
