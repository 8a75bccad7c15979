import Consent

/// The domain's table of who is asked what, row by row as it is written there: what the code is held against.
enum RoutingTable {
    /// What the first row that fits says.
    static func outcome(_ facts: PersonFacts, _ policy: Policy) -> Routing? {
        let duties = duties(facts, policy)
        let person = Known(facts.ageRange, adultAge: adultAge(facts, policy))
        func unknown(_ treatment: Policy.Treatment, _ reason: AccessReason) -> Routing {
            switch treatment {
            case .block: .blocked(reason)
            case .clear: .clear
            case .treatAsMinor: person.isAdult ? adult(confirmed: person.isConfirmed, notified: true) : .guardian
            }
        }
        func adult(confirmed: Bool, notified: Bool) -> Routing {
            switch (confirmed, policy.adultNotConfirmed) {
            case (true, _): notified ? .acknowledgment : .clear
            case (false, .block): .blocked(.adultNotConfirmed)
            case (false, .acknowledge): .acknowledgment
            }
        }
        let names: [String]? = if case .features(let names) = duties { names } else { nil }
        let parental = names?.contains("significantAppChangeRequiresParentalConsent") ?? false
        let notified = names?.contains("significantAppChangeRequiresAdultNotification") ?? false
        let known = [
            "declaredAgeRangeRequired", "significantAppChangeRequiresParentalConsent",
            "significantAppChangeRequiresAdultNotification",
        ]
        let rows: [(fits: Bool, outcome: Routing)] = [
            (names == [], .clear),
            (duties == .unsupported, unknown(policy.featuresUnsupported, .featuresUnsupported)),
            (names == nil, unknown(policy.featuresUnavailable, .featuresUnavailable)),
            (names?.contains { !known.contains($0) } ?? false, unknown(policy.featuresUnknown, .featuresUnknown)),
            (facts.ageRange == .declined, unknown(policy.ageRangeDeclined, .ageRangeDeclined)),
            (!person.isMinor && !person.isAdult, unknown(policy.ageUnknown, .ageUnknown)),
            (person.isMinor && parental, .guardian),
            (person.isMinor, .clear),
            (!person.isConfirmed, adult(confirmed: false, notified: notified)),
            (notified, .acknowledgment),
            (true, .clear),
        ]
        return rows.first { $0.fits }?.outcome
    }

    /// What the device told, or where it told nothing the policy for the region.
    private static func duties(_ facts: PersonFacts, _ policy: Policy) -> RegulatoryFeatures {
        guard facts.duties == .notTold, let region = region(facts, policy) else { return facts.duties }
        return .features(region.duties.map(\.rawValue))
    }

    private static func adultAge(_ facts: PersonFacts, _ policy: Policy) -> Int {
        facts.duties == .notTold ? region(facts, policy)?.selfConsentAge ?? 18 : 18
    }

    private static func region(_ facts: PersonFacts, _ policy: Policy) -> RegionPolicy? {
        let country = facts.region?.split(separator: "-").first.map(String.init)
        return policy.regions.first { $0.region == facts.region } ?? policy.regions.first { $0.region == country }
    }

    /// What a range says, as the domain words it; `AgeGroupTests` look at every age that a range leaves.
    private struct Known {
        var isMinor = false
        var isAdult = false
        var isConfirmed = false

        init(_ range: AgeRange, adultAge: Int) {
            guard case .range(let lower, let upper, let declaration) = range else { return }
            isMinor = upper.map { $0 <= adultAge - 1 } ?? false
            isAdult = lower.map { $0 >= adultAge } ?? false
            isConfirmed = isAdult && declaration == "confirmed"
        }
    }
}
