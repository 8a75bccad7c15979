/// Where a person's facts lead about every change that is open to them: the domain's table, as far as it does not depend on
/// what was asked and acknowledged. A rescission goes before it.
package enum Routing: Sendable, Hashable {
    /// Nothing is asked of anybody.
    case clear
    /// A guardian has to consent.
    case guardian
    /// The person has to acknowledge.
    case acknowledgment
    case blocked(AccessReason)

    package init(_ facts: PersonFacts, policy: Policy) {
        let age = AgeGroup(facts.ageRange, adultAge: policy.adultAge(of: facts))
        switch facts.duties {
        case .features(let names): self.init(names, age, policy)
        case .unsupported: self.init(policy.featuresUnsupported, .featuresUnsupported, age, policy)
        case .unavailable: self.init(policy.featuresUnavailable, .featuresUnavailable, age, policy)
        case .notTold:
            if let region = policy.region(facts.region) {
                self.init(region.duties.map(\.rawValue), age, policy)
            } else {
                self.init(policy.featuresUnavailable, .featuresUnavailable, age, policy)
            }
        }
    }

    /// The rows for duties that were told.
    private init(_ names: [String], _ age: AgeGroup, _ policy: Policy) {
        if names.isEmpty {
            self = .clear
            return
        }
        var duties: Set<Duty> = []
        for name in names {
            guard let duty = Duty.allCases.first(where: { $0.rawValue.hasBytes(of: name) }) else {
                self.init(policy.featuresUnknown, .featuresUnknown, age, policy)
                return
            }
            duties.insert(duty)
        }
        switch age {
        case .declined: self.init(policy.ageRangeDeclined, .ageRangeDeclined, age, policy)
        case .unknown: self.init(policy.ageUnknown, .ageUnknown, age, policy)
        case .minor: self = duties.contains(.significantAppChangeRequiresParentalConsent) ? .guardian : .clear
        case .adultNotConfirmed: self.init(policy.adultNotConfirmed)
        case .adultConfirmed:
            self = duties.contains(.significantAppChangeRequiresAdultNotification) ? .acknowledgment : .clear
        }
    }

    /// The rows for what is not known. `treatAsMinor` stops at a known adult: nobody can be asked about one, so they go as
    /// an adult of whom every duty holds.
    private init(_ treatment: Policy.Treatment, _ reason: AccessReason, _ age: AgeGroup, _ policy: Policy) {
        switch (treatment, age) {
        case (.block, _): self = .blocked(reason)
        case (.clear, _): self = .clear
        case (.treatAsMinor, .minor), (.treatAsMinor, .unknown), (.treatAsMinor, .declined): self = .guardian
        case (.treatAsMinor, .adultNotConfirmed): self.init(policy.adultNotConfirmed)
        case (.treatAsMinor, .adultConfirmed): self = .acknowledgment
        }
    }

    private init(_ treatment: Policy.UnconfirmedAdult) {
        switch treatment {
        case .block: self = .blocked(.adultNotConfirmed)
        case .acknowledge: self = .acknowledgment
        }
    }
}

extension Policy {
    /// From which age the person consents for themselves: 18, or what the policy has for their region, where no device
    /// reported any duties.
    package func adultAge(of facts: PersonFacts) -> Int {
        guard facts.duties == .notTold else { return AgeGroup.adultAge }
        return region(facts.region)?.selfConsentAge ?? AgeGroup.adultAge
    }
}
