package import Consent
package import JSON

extension JSONWriter {
    /// The body of a delivery: what happened to what, and no more.
    package mutating func webhookMessage(_ message: WebhookMessage) {
        beginObject()
        key("type")
        string(message.type)
        key("timestamp")
        moment(message.at)
        key("data")
        beginObject()
        key("id")
        string(message.id)
        key("person")
        callerID(message.person)
        key("personRef")
        identifier(message.personRef)
        key("state")
        string(message.state)
        key("revision")
        integer(message.revision)
        endObject()
        endObject()
    }

    /// An endpoint.
    ///
    /// - Parameter secret: its newest secret, in the one answer that shows it.
    package mutating func webhookEndpoint(_ endpoint: WebhookEndpoint, secret: String? = nil) {
        beginObject()
        key("id")
        identifier(endpoint.id)
        key("url")
        string(endpoint.settings.url)
        key("types")
        beginArray()
        for pattern in endpoint.settings.types { string(pattern.text) }
        endArray()
        key("description")
        string(endpoint.settings.description)
        if let secret {
            key("secret")
            string(secret)
        }
        key("status")
        string(endpoint.status.rawValue)
        key("disabledReason")
        string(endpoint.disabledReason?.rawValue)
        key("disabledAt")
        moment(endpoint.disabledAt)
        key("failingSince")
        moment(endpoint.failingSince)
        key("lastSuccessAt")
        moment(endpoint.lastSuccessAt)
        key("revision")
        integer(endpoint.revision)
        key("createdAt")
        moment(endpoint.createdAt)
        key("updatedAt")
        moment(endpoint.updatedAt)
        endObject()
    }

    /// That an endpoint was disabled, as an event's data.
    package mutating func webhookDisabling(_ disabling: WebhookDisabling) {
        beginObject()
        key("id")
        identifier(disabling.endpoint)
        key("status")
        string(WebhookEndpoint.Status.disabled.rawValue)
        key("disabledReason")
        string(disabling.reason.rawValue)
        key("failingSince")
        moment(disabling.failingSince)
        endObject()
    }

    /// A delivery with its attempts; of the receiver's answers the status alone is known.
    ///
    /// - Parameters:
    ///   - event: the event's id; nil for a test.
    ///   - type: the event's type; nil for a test, and once the event was taken away.
    package mutating func webhookDelivery(_ delivery: WebhookDelivery, event: EventPosition?, type: EventType?) {
        beginObject()
        key("id")
        identifier(delivery.id)
        key("endpoint")
        identifier(delivery.endpoint)
        key("event")
        string(event?.text)
        key("type")
        string(delivery.seq == nil ? WebhookMessage.testType : type?.rawValue)
        key("status")
        string(delivery.status.rawValue)
        key("nextAttemptAt")
        moment(delivery.dueAt)
        key("createdAt")
        moment(delivery.createdAt)
        key("finishedAt")
        moment(delivery.finishedAt)
        key("attempts")
        beginArray()
        for attempt in delivery.attempts { self.attempt(attempt) }
        endArray()
        endObject()
    }

    private mutating func attempt(_ attempt: DeliveryAttempt) {
        beginObject()
        key("number")
        integer(attempt.number)
        key("startedAt")
        moment(attempt.startedAt)
        key("durationMilliseconds")
        integer(attempt.milliseconds)
        key("statusCode")
        integer(attempt.status)
        key("failure")
        string(attempt.failure?.rawValue)
        endObject()
    }

    /// Where a replay begins: every event after this place is sent that the endpoint wants and has not taken.
    package mutating func webhookReplay(after position: EventPosition) {
        beginObject()
        key("after")
        string(position.text)
        endObject()
    }
}
