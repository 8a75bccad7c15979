import Consent

/// The values that the routing product runs over.
enum RoutingProduct {
    static let declarations: [String?] = [nil, "selfDeclared", "confirmed", "verifiedSomehow"]

    static let bounds: [(lower: Int?, upper: Int?)] = [
        (nil, nil), (nil, 12), (13, 15), (16, 17), (18, nil), (15, nil), (nil, 18),
    ]

    /// Every kind of age with every declaration.
    static let ages: [AgeRange] =
        [.notTold, .declined]
        + bounds.flatMap { bounds in
            declarations.map { .range(lower: bounds.lower, upper: bounds.upper, declaration: $0) }
        }

    /// One of each kind.
    static let fewAges: [AgeRange] = [
        .notTold, .declined, .range(lower: 15, upper: nil, declaration: "confirmed"),
        .range(lower: 13, upper: 15, declaration: "guardianDeclared"),
        .range(lower: 18, upper: nil, declaration: "selfDeclared"),
        .range(lower: 18, upper: nil, declaration: "confirmed"),
    ]

    /// What a device may say: nothing, that it cannot, every set of the known names, and sets with an unknown one.
    static let duties: [RegulatoryFeatures] =
        [.notTold, .unavailable, .unsupported] + sets.map { .features($0) }
        + [
            ["somethingNew"], ["significantAppChangeRequiresParentalConsent", "somethingNew"],
            Duty.allCases.map(\.rawValue) + ["somethingNew"],
        ].map { .features($0) }

    static let sets: [[String]] = (0..<(1 << Duty.allCases.count)).map { bits in
        Duty.allCases.enumerated().filter { bits & 1 << $0.offset != 0 }.map(\.element.rawValue)
    }

    /// Every policy that routing looks at, where no region is named.
    static let policies: [Policy] = Policy.UnconfirmedAdult.allCases.flatMap { adult in
        choices(of: Treatments.all.count).map { chosen in
            var policy = Policy(adultNotConfirmed: adult)
            for (path, treatment) in zip(Treatments.all, chosen) { policy[keyPath: path] = treatment }
            return policy
        }
    }

    /// All treatments alike: of one person a single row decides, as the whole product of the above shows.
    static let fewPolicies: [Policy] = Policy.UnconfirmedAdult.allCases.flatMap { adult in
        Policy.Treatment.allCases.map { treatment in
            var policy = Policy(adultNotConfirmed: adult)
            for path in Treatments.all { policy[keyPath: path] = treatment }
            return policy
        }
    }

    /// Policies for the region BR: each set of duties with each age of self-consent.
    static let regional: [Policy] = sets.flatMap { names in
        ([nil] + RegionPolicy.selfConsentAges.map(Optional.some)).map { age in
            let duties = Duty.allCases.filter { names.contains($0.rawValue) }
            return Policy(regions: [RegionPolicy(region: "BR", duties: duties, selfConsentAge: age)])
        }
    }

    private static func choices(of count: Int) -> [[Policy.Treatment]] {
        guard count > 0 else { return [[]] }
        return choices(of: count - 1).flatMap { rest in Policy.Treatment.allCases.map { rest + [$0] } }
    }
}

/// The members of a policy that say how to treat what is not known.
enum Treatments {
    static var all: [WritableKeyPath<Policy, Policy.Treatment>] {
        [\.ageRangeDeclined, \.ageUnknown, \.featuresUnavailable, \.featuresUnknown, \.featuresUnsupported]
    }
}
