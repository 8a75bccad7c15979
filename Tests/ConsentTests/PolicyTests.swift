import Consent
import Testing

struct PolicyTests {
    private static let brazil = RegionPolicy(region: "BR", duties: [.declaredAgeRangeRequired], selfConsentAge: nil)
    private static let texas = RegionPolicy(region: "US-TX", duties: [], selfConsentAge: 18)
    private static let states = RegionPolicy(region: "US", duties: [], selfConsentAge: nil)

    @Test(
        "a region's own entry goes before its country's, and nothing else is taken for it",
        arguments: [
            ("US-TX", texas), ("US-UT", states), ("US", states), ("BR-SP", brazil), ("BR", brazil), ("DE", nil),
            ("B", nil), ("BRA", nil), ("br", nil), ("", nil), (nil, nil), ("US-TX-1", states),
        ] as [(String?, RegionPolicy?)])
    func region(_ code: String?, _ expected: RegionPolicy?) {
        let policy = Policy(regions: [Self.brazil, Self.states, Self.texas])
        #expect(policy.region(code) == expected)
        #expect(Policy().region(code) == nil)
    }

    @Test("what an app does not say fails closed, but for devices too old to know")
    func defaults() {
        let policy = Policy()
        let treatments = [
            policy.ageRangeDeclined, policy.ageUnknown, policy.featuresUnavailable, policy.featuresUnknown,
        ]
        #expect(treatments.allSatisfy { $0 == .block } && policy.featuresUnsupported == .clear)
        #expect(policy.adultNotConfirmed == .block && !policy.sandboxExempts && policy.regions.isEmpty)
    }
}
