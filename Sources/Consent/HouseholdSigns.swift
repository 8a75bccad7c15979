/// What shows that a household was there at some moment, beside what stands in the person and in their open questions.
package struct HouseholdSigns: Sendable, Hashable {
    /// The latest return that a store's signature tells of.
    package let returnedAt: Instant?
    /// The latest approval of anything, whatever became of it since: what counts is that it was given.
    package let approvedAt: Instant?

    package init(returnedAt: Instant? = nil, approvedAt: Instant? = nil) {
        self.returnedAt = returnedAt
        self.approvedAt = approvedAt
    }

    package static let none = HouseholdSigns()
}
