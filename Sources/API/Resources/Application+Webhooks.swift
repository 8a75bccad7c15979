import Consent
import HTTPServer
import JSON
import Representation
import Store

extension Application {
    /// What a webhook command came to.
    ///
    /// - Parameter secret: a new secret's text, shown if this very request made it.
    func webhook(_ outcome: WebhookOutcome, _ call: Call, secret: String?) async throws(Problem) -> Response {
        switch outcome {
        case .endpoint(let endpoint, _), .rotated(let endpoint):
            return .webhookEndpoint(endpoint, status: outcome.status, secret: secret)
        case .delivery(let endpoint, let id):
            return try await webhook(.delivery(endpoint: endpoint, id), status: outcome.status, call)
        case .replay(let feed, let after):
            return .json(outcome.status) { $0.webhookReplay(after: EventPosition(feed: feed, seq: after)) }
        case .deleted, .recorded: return .noContent()
        }
    }

    /// A webhook resource as it is now, without what was shown once.
    func webhook(_ resource: WebhookResource, status: Int, _ call: Call) async throws(Problem) -> Response {
        switch resource {
        case .endpoint(let id):
            let endpoint = try await read { () async throws(StoreFailure) in
                try await store.webhookEndpoint(call.app, id)
            }
            guard let endpoint else { throw Problem(.webhookEndpointNotFound) }
            return .webhookEndpoint(endpoint, status: status)
        case .delivery(let endpoint, let id):
            let record = try await read { () async throws(StoreFailure) in
                try await store.webhookDelivery(call.app, endpoint: endpoint, id)
            }
            guard let record else { throw Problem(.webhookEndpointNotFound) }
            return .json(status) { $0.webhookDelivery(record) }
        case .replay(let feed, let after):
            return .json(status) { $0.webhookReplay(after: EventPosition(feed: feed, seq: after)) }
        }
    }
}

extension Response {
    static func webhookEndpoint(_ endpoint: WebhookEndpoint, status: Int, secret: String? = nil) -> Response {
        json(
            status, tag: EntityTag.of(revision: endpoint.revision),
            location: status == 201 ? "/v1/webhook-endpoints/" + endpoint.id.text : nil
        ) { $0.webhookEndpoint(endpoint, secret: secret) }
    }
}

extension JSONWriter {
    mutating func webhookDelivery(_ record: WebhookDeliveryRecord) {
        webhookDelivery(
            record.delivery, event: record.delivery.seq.map { EventPosition(feed: record.feed, seq: $0) },
            type: record.type)
    }
}
