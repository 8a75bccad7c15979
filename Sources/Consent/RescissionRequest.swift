/// A rescission as it is told.
package struct RescissionRequest: Sendable, Hashable {
    package let scope: RescissionScope
    /// At most 500 bytes.
    package let reason: String?
    package let source: RescissionSource
    /// From when on it counts; nil: from the moment it is decided.
    package let effective: Instant?
    /// How long after that an approval is still doubtful and voided: for a moment that another clock took; else 0.
    package let marginSeconds: Int
    /// Where a store's notice tells it.
    package let notice: Rescission.Notice?

    package init(
        scope: RescissionScope, reason: String? = nil, source: RescissionSource = .service, effective: Instant? = nil,
        marginSeconds: Int = 0, notice: Rescission.Notice? = nil
    ) {
        self.scope = scope
        self.reason = reason
        self.source = source
        self.effective = effective
        self.marginSeconds = marginSeconds
        self.notice = notice
    }
}
