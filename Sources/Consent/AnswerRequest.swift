/// A guardian's answer as it is posted.
package struct AnswerRequest: Sendable, Hashable {
    package let guardian: CallerID
    package let kind: AnswerKind
    package let reason: String?
    package let verification: Verification?

    package init(guardian: CallerID, kind: AnswerKind, reason: String? = nil, verification: Verification? = nil) {
        self.guardian = guardian
        self.kind = kind
        self.reason = reason
        self.verification = verification
    }
}
