import Consent
import JSON

extension JSONWriter {
    /// Every member, defaults included, in the order of the contract.
    mutating func policy(_ policy: Policy) {
        beginObject()
        member("defaultExpirationSeconds", policy.defaultExpirationSeconds)
        member("longestExpirationSeconds", policy.longestExpirationSeconds)
        member("askAgainSeconds", policy.askAgainSeconds)
        member("defaultQuorum", policy.defaultQuorum)
        member("requireGuardianLinks", policy.requireGuardianLinks)
        key("adultNotConfirmed")
        string(policy.adultNotConfirmed.rawValue)
        member("ageRangeDeclined", policy.ageRangeDeclined)
        member("ageUnknown", policy.ageUnknown)
        member("featuresUnavailable", policy.featuresUnavailable)
        member("featuresUnknown", policy.featuresUnknown)
        member("featuresUnsupported", policy.featuresUnsupported)
        member("sandboxExempts", policy.sandboxExempts)
        key("verificationMethods")
        beginArray()
        for method in policy.verificationMethods { string(method) }
        endArray()
        key("regions")
        beginArray()
        for region in policy.regions { self.region(region) }
        endArray()
        member("ageRatingOpensChange", policy.ageRatingOpensChange)
        member("reminderSeconds", policy.reminderSeconds)
        member("rescissionMarginSeconds", policy.rescissionMarginSeconds)
        endObject()
    }

    private mutating func region(_ region: RegionPolicy) {
        beginObject()
        key("region")
        string(region.region)
        key("duties")
        beginArray()
        for duty in region.duties { string(duty.rawValue) }
        endArray()
        key("selfConsentAge")
        if let age = region.selfConsentAge { integer(age) } else { null() }
        endObject()
    }

    private mutating func member(_ name: StaticString, _ number: Int) {
        key(name)
        integer(number)
    }

    private mutating func member(_ name: StaticString, _ holds: Bool) {
        key(name)
        bool(holds)
    }

    private mutating func member(_ name: StaticString, _ treatment: Policy.Treatment) {
        key(name)
        string(treatment.rawValue)
    }
}
