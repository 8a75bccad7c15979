/// How a person stands to a change that is in effect.
package enum ChangeStatus: String, Sendable, Hashable, CaseIterable {
    /// It came with or before the version the person first got.
    case exempt
    /// Nobody was asked and nobody acknowledged, or only before a return; whether anybody has to, the phase tells.
    case required
    case pending, approved, denied, revoked, expired, cancelled
    case acknowledged
}

/// A change with how a person stands to it.
package struct ChangeAccess: Sendable, Hashable {
    package let change: CallerID
    package let status: ChangeStatus
    /// The question that the status is that of; nil for one that no question has.
    package let question: Identifier?

    package init(change: CallerID, status: ChangeStatus, question: Identifier? = nil) {
        self.change = change
        self.status = status
        self.question = question
    }
}
