/// What a person's age range means for consent.
package enum AgeGroup: String, Sendable, Hashable, CaseIterable {
    /// Below the age of self-consent: at most 17, where no policy says otherwise.
    case minor
    /// Of the age of self-consent, 18, and the declaration is `confirmed`.
    case adultConfirmed
    /// Of that age by a declaration that is missing, the person's own, a guardian's, or unknown to us.
    case adultNotConfirmed
    /// Nothing was told, or a range that leaves both possible, such as 15 and over.
    case unknown
    /// The person declined to share it.
    case declined

    /// The age from which a person answers for themselves, where no policy says otherwise.
    package static let adultAge = 18

    /// - Parameter adultAge: the age of self-consent that counts for the person.
    package init(_ range: AgeRange, adultAge: Int = AgeGroup.adultAge) {
        switch range {
        case .notTold: self = .unknown
        case .declined: self = .declined
        case .range(let lower, let upper, let declaration):
            let adult = lower.map { $0 >= adultAge } ?? false
            let minor = upper.map { $0 < adultAge } ?? false
            switch (minor, adult) {
            case (true, false): self = .minor
            case (false, true): self = declaration == "confirmed" ? .adultConfirmed : .adultNotConfirmed
            // Bounds that contradict each other clear nobody.
            case (false, false), (true, true): self = .unknown
            }
        }
    }
}
