/// What came of an observation of an age rating.
package enum AgeRatingVerdict: Sendable, Hashable {
    /// Nothing was learnt from it, and nothing is kept.
    case ignored(Reason)
    /// It says what is known; the baseline only remembers that it was seen again.
    case unchanged(AgeRating)
    /// A first value or another one: the new baseline, the step of its history, and the change that the step opens.
    case recorded(AgeRating, AgeRatingStep, opens: Change?)
    case refused(Refusal)

    package enum Reason: Sendable, Hashable, CaseIterable {
        /// The device could not tell.
        case unavailable
        /// 0, which stands for no rating at all.
        case sentinel
        /// Another code, observed before the baseline's was last seen.
        case late
    }
}
