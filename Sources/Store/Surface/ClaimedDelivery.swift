package import Consent

/// A delivery that is leased to whoever claimed it, with all it takes to make the attempt.
package struct ClaimedDelivery: Sendable {
    /// What is sent, which gives the message its id: the same over all attempts.
    package enum Source: Sendable, Hashable {
        /// The event's place in the log; the message has the event's id.
        case event(feed: String, seq: Int64)
        /// A test; the message has the delivery's id.
        case test
    }

    package let app: AppID
    package let endpoint: Identifier
    package let id: Identifier
    /// What its outcome must name to count: another holder's has another lease.
    package let lease: Identifier
    /// 1 for the first.
    package let attempt: Int
    package let url: String
    /// The sealed secrets in force when it was claimed, newest first; `WebhookSecret.purpose` says what they are sealed for.
    package let secrets: [[UInt8]]
    package let source: Source
    package let message: WebhookMessage

    package init(
        app: AppID, endpoint: Identifier, id: Identifier, lease: Identifier, attempt: Int, url: String,
        secrets: [[UInt8]], source: Source, message: WebhookMessage
    ) {
        self.app = app
        self.endpoint = endpoint
        self.id = id
        self.lease = lease
        self.attempt = attempt
        self.url = url
        self.secrets = secrets
        self.source = source
        self.message = message
    }
}
