/// The last known age rating of an app in one scope, against which observations are compared.
package struct AgeRating: Sendable, Hashable {
    package let scope: AgeRatingScope
    package var code: Int
    /// 1 for the first value, +1 for each change of it.
    package var revision: Int
    /// When this code was first observed.
    package var observedAt: Instant
    /// When it was last observed: what was observed before that never moves it.
    package var lastObservedAt: Instant
    /// When this code was stored.
    package var recordedAt: Instant

    package init(
        scope: AgeRatingScope, code: Int, revision: Int, observedAt: Instant, lastObservedAt: Instant,
        recordedAt: Instant
    ) {
        self.scope = scope
        self.code = code
        self.revision = revision
        self.observedAt = observedAt
        self.lastObservedAt = lastObservedAt
        self.recordedAt = recordedAt
    }
}
