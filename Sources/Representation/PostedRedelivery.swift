package import Consent
import JSON

/// The body of `POST /v1/webhook-endpoints/{endpoint}/redeliveries`.
package enum PostedRedelivery: Sendable, Equatable {
    /// One event by its id.
    case event(EventPosition)
    /// All since a moment that were not taken.
    case since(Instant)

    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            let event = body.string("event", .optional, mustBe: "must be an event's id") { EventPosition($0) }
            let since = body.timestamp("since", .optional)
            switch (body.isMissing("event"), body.isMissing("since")) {
            case (true, true): body.refuse("must have an event or since")
            case (false, false): body.refuse("must have an event or since, not both")
            case (false, true): return event.map { .event($0) }
            case (true, false): return since.map { .since(Instant(microseconds: $0)) }
            }
            return nil
        }
    }
}
