/// An app's choices where the domain leaves one; each default fails closed, but for devices too old to know of duties.
package struct Policy: Sendable, Hashable {
    package enum UnconfirmedAdult: String, Sendable, CaseIterable { case block, acknowledge }

    /// What becomes of a person of whom something that matters is not known.
    package enum Treatment: String, Sendable, CaseIterable {
        /// Kept from every open change.
        case block
        /// As if known to be a minor for whom a guardian has to consent.
        case treatAsMinor
        /// Let through.
        case clear
    }

    /// Life of a question whose caller gives no expiration; 1 second to `longestExpirationSeconds`, 7 days by default.
    package var defaultExpirationSeconds: Int
    /// The longest life a caller may give a question; 1 to 31,536,000 seconds (365 days), which is the default.
    package var longestExpirationSeconds: Int
    /// How long after a guardian's own denial or revocation the same thing may be asked again; 0 to 365 days, one
    /// day by default.
    package var askAgainSeconds: Int
    /// How many guardians must approve when the caller does not say; 1 to 10, 1 by default.
    package var defaultQuorum: Int
    /// Whether only linked guardians may answer, also where a person never had links; false by default.
    package var requireGuardianLinks: Bool
    /// Whether an adult whose age is not confirmed may acknowledge; `block` by default.
    package var adultNotConfirmed: UnconfirmedAdult
    /// A person who declined to share an age range; `block` by default.
    package var ageRangeDeclined: Treatment
    /// A person whose age range is not known or leaves both possible; `block` by default.
    package var ageUnknown: Treatment
    /// A device that failed to say which duties apply, or nobody told; `block` by default.
    package var featuresUnavailable: Treatment
    /// Duties under a name that nobody knows; `block` by default.
    package var featuresUnknown: Treatment
    /// A device too old to know of duties; `clear` by default.
    package var featuresUnsupported: Treatment
    /// Whether an original version read in the sandbox, where it is always 1.0, exempts; false by default.
    package var sandboxExempts: Bool
    /// How a guardian may have been verified for an approval to count; sorted, without repeats, at most 20 names of 1 to 64
    /// bytes. Empty, the default: nothing is demanded.
    package var verificationMethods: [String]
    /// What holds for people whose devices report no duties, by region; sorted by region, one entry each, at most 100.
    package var regions: [RegionPolicy]
    /// Whether a changed age rating opens a significant change by itself; false by default.
    package var ageRatingOpensChange: Bool
    /// How long before its expiration a pending question is reminded of; 0 (never) to 365 days, one day by default.
    package var reminderSeconds: Int
    /// How long after a store's rescission an approval still counts as given before it, since two clocks are compared; 0 to
    /// 3,600 seconds, 60 by default.
    package var rescissionMarginSeconds: Int

    /// What no expiration exceeds, whatever an app says: 365 days.
    package static let expirationBound = 31_536_000
    /// No refusal holds off asking again for longer: 365 days.
    package static let longestAskAgain = 31_536_000
    package static let largestQuorum = 10
    package static let largestRescissionMargin = 3_600

    package init(
        defaultExpirationSeconds: Int = 604_800, longestExpirationSeconds: Int = Policy.expirationBound,
        askAgainSeconds: Int = 86_400, defaultQuorum: Int = 1, requireGuardianLinks: Bool = false,
        adultNotConfirmed: UnconfirmedAdult = .block, ageRangeDeclined: Treatment = .block,
        ageUnknown: Treatment = .block, featuresUnavailable: Treatment = .block, featuresUnknown: Treatment = .block,
        featuresUnsupported: Treatment = .clear, sandboxExempts: Bool = false, verificationMethods: [String] = [],
        regions: [RegionPolicy] = [], ageRatingOpensChange: Bool = false, reminderSeconds: Int = 86_400,
        rescissionMarginSeconds: Int = 60
    ) {
        self.defaultExpirationSeconds = defaultExpirationSeconds
        self.longestExpirationSeconds = longestExpirationSeconds
        self.askAgainSeconds = askAgainSeconds
        self.defaultQuorum = defaultQuorum
        self.requireGuardianLinks = requireGuardianLinks
        self.adultNotConfirmed = adultNotConfirmed
        self.ageRangeDeclined = ageRangeDeclined
        self.ageUnknown = ageUnknown
        self.featuresUnavailable = featuresUnavailable
        self.featuresUnknown = featuresUnknown
        self.featuresUnsupported = featuresUnsupported
        self.sandboxExempts = sandboxExempts
        self.verificationMethods = verificationMethods
        self.regions = regions
        self.ageRatingOpensChange = ageRatingOpensChange
        self.reminderSeconds = reminderSeconds
        self.rescissionMarginSeconds = rescissionMarginSeconds
    }

    /// The entry for a person's region: of that very code, else of its country, the part before the first hyphen.
    package func region(_ code: String?) -> RegionPolicy? {
        guard let code else { return nil }
        return entry(code[...]) ?? entry(code.prefix { $0 != "-" })
    }

    private func entry(_ code: Substring) -> RegionPolicy? {
        regions.first { $0.region.utf8.elementsEqual(code.utf8) }
    }
}
