/// What is known of a person, told by the caller and replaced as a whole.
package struct PersonFacts: Sendable, Hashable {
    package var ageRange: AgeRange
    package var duties: RegulatoryFeatures
    package var original: OriginalVersion?
    /// The caller's region code, 1 to 16 of `A-Z`, `a-z`, `0-9` and `-` (ISO 3166 or a subdivision).
    package var region: String?

    package init(
        ageRange: AgeRange = .notTold, duties: RegulatoryFeatures = .notTold, original: OriginalVersion? = nil,
        region: String? = nil
    ) {
        self.ageRange = ageRange
        self.duties = duties
        self.original = original
        self.region = region
    }

    /// A person of whom nothing is known but that there is a question about them.
    package static let unknown = PersonFacts()
}
