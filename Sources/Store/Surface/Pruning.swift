package import Consent

/// What retention takes away of one app in one transaction: what is old, and what nothing is decided on any more.
package enum Pruning: Sendable, Hashable {
    /// The oldest kept replies, at most `limit`.
    case replies(olderThanSeconds: Int, limit: Int)
    /// The oldest events, at most `limit`, up to the first that is not old enough: what is kept is without gaps.
    case events(olderThanSeconds: Int, limit: Int)
    /// Those of the questions that `Question.isDispensable` lets go and no event tells of, with their answers.
    case questions([Identifier], olderThanSeconds: Int)
    /// The oldest of the stores' notices of one status, at most `limit`; for those that wait for somebody.
    case notifications(StoreNotification.Status, olderThanSeconds: Int, limit: Int)
    /// The oldest webhook deliveries with their attempts, at most `limit`, whatever came of them.
    case deliveries(olderThanSeconds: Int, limit: Int)
    /// Counters that count nobody, at most `limit` of each kind.
    case emptyCounters(limit: Int)
    /// Tickets that can be used no more, at most `limit`.
    case tickets(limit: Int)
}

/// How old the oldest is of what is pruned by age alone, in one app; nil where there is none.
package struct OldestKept: Sendable, Hashable {
    package let app: AppID
    package let reply: Instant?
    package let event: Instant?
    /// Of the stores' notices that wait for somebody.
    package let notification: Instant?
    package let delivery: Instant?
    /// Until when the ticket could be used that came first.
    package let ticket: Instant?

    package init(
        app: AppID, reply: Instant?, event: Instant?, notification: Instant? = nil, delivery: Instant? = nil,
        ticket: Instant? = nil
    ) {
        self.app = app
        self.reply = reply
        self.event = event
        self.notification = notification
        self.delivery = delivery
        self.ticket = ticket
    }
}

/// What one look at an app's oldest questions found: those that may be dispensable, and after which the next look starts;
/// nil at the end.
package struct OldQuestions: Sendable, Hashable {
    package let ids: [Identifier]
    package let next: Identifier?

    package init(ids: [Identifier], next: Identifier?) {
        self.ids = ids
        self.next = next
    }
}
