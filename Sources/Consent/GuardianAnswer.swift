/// One guardian's answer as it was recorded; the log of them is append-only.
package struct GuardianAnswer: Sendable, Hashable {
    package let guardian: CallerID
    package let kind: AnswerKind
    /// At most 500 bytes.
    package let reason: String?
    package let verification: Verification?
    package let at: Instant
    /// The question's revision that this answer made; unique within the question.
    package let revision: Int
    /// When an unlink took an approval on a pending question out of the count.
    package var voidedAt: Instant?

    package init(
        guardian: CallerID, kind: AnswerKind, reason: String?, verification: Verification?, at: Instant, revision: Int,
        voidedAt: Instant? = nil
    ) {
        self.guardian = guardian
        self.kind = kind
        self.reason = reason
        self.verification = verification
        self.at = at
        self.revision = revision
        self.voidedAt = voidedAt
    }
}
