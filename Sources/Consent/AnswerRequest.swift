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

    /// Whether the guardian was verified in one of the ways demanded, if any is; a denial never has to be.
    func isVerified(by methods: [String]) -> Bool {
        guard kind == .approval, !methods.isEmpty else { return true }
        guard let method = verification?.method else { return false }
        return methods.contains { $0.hasBytes(of: method) }
    }
}
