package import Consent

/// A withdrawn change about which questions may still wait.
package struct OpenWithdrawal: Sendable, Hashable {
    package let app: AppID
    package let change: CallerID

    package init(app: AppID, change: CallerID) {
        self.app = app
        self.change = change
    }
}

/// What one look at pending questions found: those about the change, and where the next look starts; nil at the end.
package struct PendingQuestions: Sendable {
    package let ids: [Identifier]
    package let next: QuestionPosition?

    package init(ids: [Identifier], next: QuestionPosition?) {
        self.ids = ids
        self.next = next
    }
}
