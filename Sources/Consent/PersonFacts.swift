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

/// A person's age range as declared on a device.
package enum AgeRange: Sendable, Hashable {
    case notTold
    /// The person declined to share it; an answer of its own.
    case declined
    /// Each bound optional, 0 to 150. No lower bound: below the lowest gate; no upper bound: at or above the highest.
    /// The declaration is kept as it came, known or not; only `confirmed` counts as confirmed.
    case range(lower: Int?, upper: Int?, declaration: String?)
}

/// The device's `requiredRegulatoryFeatures`: which duties apply to a person.
package enum RegulatoryFeatures: Sendable, Hashable {
    case notTold
    /// Asking failed.
    case unavailable
    /// The device is too old to know.
    case unsupported
    /// As they came, unknown names included; sorted, without repeats.
    case features([String])
}

/// The version of the app that the person first got.
package struct OriginalVersion: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable { case version, build }
    package enum Environment: String, Sendable, CaseIterable { case production, sandbox }

    /// 1 to 64 bytes, kept as it came.
    package let value: String
    package let kind: Kind
    package let environment: Environment

    package init(value: String, kind: Kind, environment: Environment) {
        self.value = value
        self.kind = kind
        self.environment = environment
    }
}
