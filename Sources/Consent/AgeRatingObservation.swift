/// What a device read of the app's age rating in its storefront.
package struct AgeRatingObservation: Sendable, Hashable {
    package let scope: AgeRatingScope
    /// The vendor's number, which is for comparing only; nil: the device could not tell.
    package let code: Int?
    /// When the device read it, by the device's clock; nil: now.
    package let observedAt: Instant?

    /// How far a device's clock may be ahead, in seconds.
    package static let aheadSeconds: Int64 = 300
    /// What JSON numbers keep exact everywhere.
    package static let codes = -9_007_199_254_740_991...9_007_199_254_740_991

    package init(scope: AgeRatingScope, code: Int?, observedAt: Instant? = nil) {
        self.scope = scope
        self.code = code
        self.observedAt = observedAt
    }
}
