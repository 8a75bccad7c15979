package import Consent

/// What is wanted of an app's webhooks; part of `Command`.
package enum WebhookCommand: Sendable {
    /// `id`: made beforehand, because the secret is sealed for it.
    case create(id: Identifier, WebhookSettings, WebhookEndpoint.Status, sealedSecret: [UInt8])
    case replace(Identifier, WebhookSettings, WebhookEndpoint.Status, Precondition)
    /// Its deliveries go with age; none is sent any more.
    case delete(Identifier)
    case rotate(Identifier, sealedSecret: [UInt8], overlapSeconds: Int64)
    /// Sends one event, whatever came of it before and whether or not the endpoint wants its type.
    case redeliver(Identifier, feed: String, seq: Int64)
    /// Sends every event since a moment that the endpoint wants and has not taken.
    case replay(Identifier, since: Instant)
    /// Sends a message that is of no event.
    case test(Identifier)
    /// The delivery worker's: what came of attempts.
    case record([DeliveryReport])

    /// The endpoint it is about; nil for the worker's, which is about several.
    package var endpoint: Identifier? {
        switch self {
        case .create(let id, _, _, _), .replace(let id, _, _, _), .delete(let id), .rotate(let id, _, _),
            .redeliver(let id, _, _), .replay(let id, _), .test(let id):
            id
        case .record: nil
        }
    }
}

/// What a webhook command left behind; part of `Outcome`.
package enum WebhookOutcome: Sendable {
    case endpoint(WebhookEndpoint, created: Bool)
    case rotated(WebhookEndpoint)
    case deleted
    /// One that waits now: of a test or a redelivery.
    case delivery(endpoint: Identifier, Identifier)
    /// Events after this place are sent.
    case replay(feed: String, after: Int64)
    case recorded

    package var status: Int {
        switch self {
        case .endpoint(_, let created): created ? 201 : 200
        case .rotated: 201
        case .deleted: 204
        case .delivery, .replay: 202
        case .recorded: 200
        }
    }
}

/// A webhook resource as a replayed request names it; part of `ResourceName`.
package enum WebhookResource: Sendable, Hashable {
    case endpoint(Identifier)
    case delivery(endpoint: Identifier, Identifier)
    case replay(feed: String, after: Int64)
}

/// A delivery with what it takes to show it.
package struct WebhookDeliveryRecord: Sendable {
    package let delivery: WebhookDelivery
    /// The name of the app's log; with the delivery's number it is the event's id.
    package let feed: String
    /// Nil for a test, and once the event was taken away.
    package let type: EventType?

    package init(delivery: WebhookDelivery, feed: String, type: EventType?) {
        self.delivery = delivery
        self.feed = feed
        self.type = type
    }
}
