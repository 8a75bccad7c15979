import Consent
import Crypto
import HTTPServer
import JSON
import Representation
import Store

extension Application {
    func createWebhookEndpoint(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let posted = try await postedEndpoint(call)
        let id: Identifier
        do {
            let random = try SecureRandom.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            id = Identifier(createdAt: clock.wall(), random: random)
        } catch {
            throw Problem(.internalError)
        }
        let (sealed, text) = try newSecret(call.app, id)
        return try await submit(
            .webhook(.create(id: id, posted.settings, posted.status, sealedSecret: sealed)), call, secret: text)
    }

    func listWebhookEndpoints(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let page = try await currentWebhookEndpoints(call.app)
        return .json(200, capacity: page.count) { $0.raw(page) }
    }

    /// All of an app's, as the one page that they are.
    func currentWebhookEndpoints(_ app: AppID) async throws(Problem) -> [UInt8] {
        let endpoints = try await read { () async throws(StoreFailure) in try await store.webhookEndpoints(app) }
        var writer = JSONWriter(capacity: 512 * (endpoints.count + 1))
        writer.page(endpoints, nextCursor: nil) { $0.webhookEndpoint($1) }
        return writer.finish()
    }

    func getWebhookEndpoint(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        return try await webhook(.endpoint(try endpoint(call)), status: 200, call)
    }

    func putWebhookEndpoint(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let id = try endpoint(call)
        let precondition = try Conditions.precondition(call.request.headers)
        let posted = try await postedEndpoint(call)
        return try await submit(.webhook(.replace(id, posted.settings, posted.status, precondition)), call)
    }

    func deleteWebhookEndpoint(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        return try await submit(.webhook(.delete(try endpoint(call))), call)
    }

    func rotateWebhookSecret(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let id = try endpoint(call)
        let posted: PostedSecretRotation
        do { posted = try PostedSecretRotation(body: call.bodyOrEmptyObject) } catch { throw Problem(error) }
        let (sealed, text) = try newSecret(call.app, id)
        return try await submit(
            .webhook(.rotate(id, sealedSecret: sealed, overlapSeconds: posted.overlapSeconds)), call, secret: text)
    }

    func redeliverWebhooks(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let id = try endpoint(call)
        let posted: PostedRedelivery
        do { posted = try PostedRedelivery(body: call.request.body) } catch { throw Problem(error) }
        switch posted {
        case .event(let position):
            return try await submit(.webhook(.redeliver(id, feed: position.feed, seq: position.seq)), call)
        case .since(let moment): return try await submit(.webhook(.replay(id, since: moment)), call)
        }
    }

    func testWebhookEndpoint(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let id = try endpoint(call)
        do { try EmptyBody.check(call.bodyOrEmptyObject) } catch { throw Problem(error) }
        return try await submit(.webhook(.test(id)), call)
    }

    func listWebhookDeliveries(_ call: Call) async throws(Problem) -> Response {
        let query = try call.query("status", "cursor", "limit")
        let id = try endpoint(call)
        let limit = try query.limit()
        let status = try query.oneOf("status", WebhookDelivery.Status.self)
        var before: Identifier?
        if let cursor = query.text("cursor") {
            before = Cursor.delivery(cursor)
            guard before != nil else { throw .foreignCursor() }
        }
        let page = try await read { () async throws(StoreFailure) in
            try await store.webhookDeliveries(call.app, endpoint: id, status: status, before: before, limit: limit)
        }
        guard let page else { throw Problem(.webhookEndpointNotFound) }
        let next = page.more ? page.rows.last.map { Cursor.write(delivery: $0.delivery.id) } : nil
        return .json(200, capacity: 512 * (page.rows.count + 1)) { writer in
            writer.page(page.rows, nextCursor: next) { $0.webhookDelivery($1) }
        }
    }

    private func endpoint(_ call: Call) throws(Problem) -> Identifier {
        try call.identifier(0, .webhookEndpointNotFound)
    }

    private func postedEndpoint(_ call: Call) async throws(Problem) -> PostedWebhookEndpoint {
        let posted: PostedWebhookEndpoint
        do { posted = try PostedWebhookEndpoint(body: call.request.body, policy: webhooks.policy) } catch {
            throw Problem(error)
        }
        if let refusal = await webhooks.refusal(of: posted.url) {
            throw Problem(.invalidBody, errors: [FieldError(pointer: "/url", detail: refusal.description)])
        }
        return posted
    }

    /// A secret for an endpoint: as it is kept, and as its receiver is told it.
    private func newSecret(_ app: AppID, _ endpoint: Identifier) throws(Problem) -> (sealed: [UInt8], text: String) {
        guard let seal = webhooks.seal else {
            throw Problem(
                .secretKeyNotConfigured, "The operator has set no secret key, under which secrets are kept.",
                retryAfter: 3_600)
        }
        do {
            let secret = try WebhookDesk.Secret()
            return (try seal(secret.bytes, app, endpoint), secret.text)
        } catch {
            throw Problem(.internalError)
        }
    }

    /// What a webhook command came to.
    ///
    /// - Parameter secret: a new secret's text, shown if this very request made it.
    func webhook(_ outcome: WebhookOutcome, _ call: Call, secret: String?) async throws(Problem) -> Response {
        switch outcome {
        case .endpoint(let endpoint, _), .rotated(let endpoint):
            return .webhookEndpoint(
                endpoint, status: outcome.status, secret: secret, isNew: call.parameters.isEmpty)
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
            return .webhookEndpoint(endpoint, status: status, isNew: call.parameters.isEmpty)
        case .delivery(let endpoint, let id):
            let record = try await read { () async throws(StoreFailure) in
                try await store.webhookDelivery(call.app, endpoint: endpoint, id)
            }
            guard let record else { throw Problem(.webhookDeliveryNotFound) }
            return .json(status) { $0.webhookDelivery(record) }
        case .replay(let feed, let after):
            return .json(status) { $0.webhookReplay(after: EventPosition(feed: feed, seq: after)) }
        }
    }
}

extension Response {
    static func webhookEndpoint(
        _ endpoint: WebhookEndpoint, status: Int, secret: String? = nil, isNew: Bool
    ) -> Response {
        json(
            status, tag: EntityTag.of(revision: endpoint.revision),
            location: isNew ? "/v1/webhook-endpoints/" + endpoint.id.text : nil
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
