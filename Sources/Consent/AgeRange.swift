/// A person's age range as declared on a device.
package enum AgeRange: Sendable, Hashable {
    case notTold
    /// The person declined to share it; an answer of its own.
    case declined
    /// Each bound optional, 0 to 150, the lower not above the upper. No lower bound: below the lowest gate; no upper
    /// bound: at or above the highest. The declaration is kept as it came, known or not; only `confirmed` counts as
    /// confirmed.
    case range(lower: Int?, upper: Int?, declaration: String?)

    /// What either bound may be.
    package static let bounds = 0...150

    /// Whether two bounds leave an age between them.
    package static func agree(lower: Int?, upper: Int?) -> Bool {
        guard let lower, let upper else { return true }
        return lower <= upper
    }

    /// Whether the person is known to be an adult, confirmed or not: then nobody answers for them.
    package var startsAtAdultAge: Bool {
        switch self {
        case .notTold, .declined: false
        case .range(let lower, _, _): lower.map { $0 >= AgeGroup.adultAge } ?? false
        }
    }
}
