/// One event on its way to one endpoint.
package struct WebhookDelivery: Sendable, Hashable {
    /// The names are the API's and the database's.
    package enum Status: String, Sendable, Hashable, CaseIterable {
        /// It waits for its first or its next attempt, or that is under way.
        case pending
        case delivered
        /// Every attempt failed, or the endpoint answered that it is gone.
        case failed
    }

    /// Orders the deliveries of an app by when they came to be.
    package let id: Identifier
    package let endpoint: Identifier
    /// The event's number in the app's log; nil for a test, which has no event.
    package let seq: Int64?
    package let status: Status
    /// When it is tried next, unless its endpoint is disabled; nil once it is done.
    package let dueAt: Instant?
    package let createdAt: Instant
    package let finishedAt: Instant?
    /// In the order they were made.
    package let attempts: [DeliveryAttempt]

    package init(
        id: Identifier, endpoint: Identifier, seq: Int64?, status: Status, dueAt: Instant?, createdAt: Instant,
        finishedAt: Instant?, attempts: [DeliveryAttempt]
    ) {
        self.id = id
        self.endpoint = endpoint
        self.seq = seq
        self.status = status
        self.dueAt = dueAt
        self.createdAt = createdAt
        self.finishedAt = finishedAt
        self.attempts = attempts
    }
}

/// What a delivery tells, thin: what happened to what, no more; whoever may know the rest reads it.
package struct WebhookMessage: Sendable, Hashable {
    /// The type of a test, of which the log knows nothing.
    package static let testType = "webhookEndpoint.test"

    /// The event's type, or `testType`.
    package let type: String
    /// The event's moment; the same over all attempts.
    package let at: Instant
    /// The id of what it is about: ours or a caller's.
    package let id: String?
    /// Nil where no person is concerned, or once they were erased.
    package let person: CallerID?
    package let personRef: Identifier?
    package let state: String?
    package let revision: Int?

    package init(
        type: String, at: Instant, id: String?, person: CallerID? = nil, personRef: Identifier? = nil,
        state: String? = nil, revision: Int? = nil
    ) {
        self.type = type
        self.at = at
        self.id = id
        self.person = person
        self.personRef = personRef
        self.state = state
        self.revision = revision
    }
}
