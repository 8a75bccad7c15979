/// Consent taken back, with what that ended; kept for good.
package struct Rescission: Sendable, Hashable {
    package let personRef: Identifier
    /// 1, 2, 3 … of its person, in the order they were learnt of.
    package let number: Int
    package let scope: RescissionScope
    package let reason: String?
    package let source: RescissionSource
    /// From when on it counts.
    package let effectiveAt: Instant
    /// When it was learnt of; never before that.
    package let receivedAt: Instant
    /// Questions it cancelled or revoked, in id order.
    package let ended: [Identifier]
    /// Questions that it left as they are, but on which approvals given before it count no more; in id order.
    package let voided: [Identifier]
    /// Whether the person was frozen by it: nothing asked, nothing approved.
    package let freezes: Bool
    /// When that freeze ended by a return.
    package var endedAt: Instant?

    package init(
        personRef: Identifier, number: Int, scope: RescissionScope, reason: String?, source: RescissionSource,
        effectiveAt: Instant, receivedAt: Instant, ended: [Identifier], voided: [Identifier], freezes: Bool,
        endedAt: Instant? = nil
    ) {
        self.personRef = personRef
        self.number = number
        self.scope = scope
        self.reason = reason
        self.source = source
        self.effectiveAt = effectiveAt
        self.receivedAt = receivedAt
        self.ended = ended
        self.voided = voided
        self.freezes = freezes
        self.endedAt = endedAt
    }
}
