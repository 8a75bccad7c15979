/// What an observation came to, in one word; the API's and the database's.
package enum AgeRatingOutcome: String, Sendable, Hashable, CaseIterable {
    case baselineSet, changed, unchanged, unavailable, sentinel, late
}
