/// One step in the history of an app's age rating: its first value, or a change of it; never altered.
package struct AgeRatingStep: Sendable, Hashable {
    package let scope: AgeRatingScope
    /// 1 for the first value, 2 for its first change, and so on.
    package let revision: Int
    package let code: Int
    /// Nil for the first value.
    package let previousCode: Int?
    package let observedAt: Instant
    package let recordedAt: Instant
    /// The significant change it opened.
    package let change: CallerID?

    package init(
        scope: AgeRatingScope, revision: Int, code: Int, previousCode: Int?, observedAt: Instant, recordedAt: Instant,
        change: CallerID?
    ) {
        self.scope = scope
        self.revision = revision
        self.code = code
        self.previousCode = previousCode
        self.observedAt = observedAt
        self.recordedAt = recordedAt
        self.change = change
    }
}
