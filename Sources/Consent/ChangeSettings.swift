/// What a caller registers of a significant change; replaced as a whole.
package struct ChangeSettings: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A version of the app brought it.
        case significantUpdate
        /// The app's age rating moved; no version brought it, so it exempts nobody.
        case ageRating
    }

    package var kind: Kind
    /// Marketing version that introduced it, 1 to 64 bytes; this or `build` or both, neither for an age rating.
    package var version: String?
    /// Build number that introduced it, 1 to 64 bytes.
    package var build: String?
    /// Features covered, sorted, without repeats; nil means the whole app.
    package var features: [String]?
    /// Texts by BCP 47 language tag, sorted by tag, at least one; each at most 1,000 bytes.
    package var descriptions: [LocalizedText]
    /// From when on it concerns anybody; nil: at once. Guardians may be asked before.
    package var effectiveFrom: Instant?

    package init(
        kind: Kind = .significantUpdate, version: String?, build: String?, features: [String]?,
        descriptions: [LocalizedText], effectiveFrom: Instant? = nil
    ) {
        self.kind = kind
        self.version = version
        self.build = build
        self.features = features
        self.descriptions = descriptions
        self.effectiveFrom = effectiveFrom
    }
}
