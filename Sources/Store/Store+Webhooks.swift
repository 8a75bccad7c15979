package import Consent

extension Store {
    package func webhookEndpoints(_ app: AppID) async throws(StoreFailure) -> [WebhookEndpoint] {
        guard case .endpoints(let rows) = try await ask(.endpoints(app), lane: app.text) else { throw mismatch }
        return rows
    }

    package func webhookEndpoint(_ app: AppID, _ id: Identifier) async throws(StoreFailure) -> WebhookEndpoint? {
        guard case .endpoint(let row) = try await ask(.endpoint(app, id), lane: app.text) else { throw mismatch }
        return row
    }

    package func webhookDeliveries(
        _ app: AppID, endpoint: Identifier, status: WebhookDelivery.Status?, before: Identifier?, limit: Int
    ) async throws(StoreFailure) -> Page<WebhookDeliveryRecord>? {
        let query = WebhookQuery.deliveries(app, endpoint, status, before: before, limit: limit)
        guard case .deliveries(let page) = try await ask(query, lane: app.text) else { throw mismatch }
        return page
    }

    package func webhookDelivery(
        _ app: AppID, endpoint: Identifier, _ id: Identifier
    ) async throws(StoreFailure) -> WebhookDeliveryRecord? {
        let query = WebhookQuery.delivery(app, endpoint: endpoint, id)
        guard case .delivery(let row) = try await ask(query, lane: app.text) else { throw mismatch }
        return row
    }

    private func ask(_ query: WebhookQuery, lane: String) async throws(StoreFailure) -> WebhookResult {
        guard case .webhook(let result) = try await read(.webhook(query), lane: lane) else { throw mismatch }
        return result
    }

    private var mismatch: StoreFailure { .broken(sqlState: nil) }
}

extension Store: DeliveryStore {
    /// A lane of its own: its statements hold locks until their flight ends, so nothing long may travel with them.
    private static func lane(_ app: AppID) -> String { app.text + "#webhooks" }

    package func nextDeliveries() async throws(StoreFailure) -> (next: [NextDelivery], now: Instant) {
        guard case .next(let next, let now) = try await ask(.next, lane: Self.looks) else { throw mismatch }
        return (next, now)
    }

    package func fanOut(_ app: AppID, limit: Int) async throws(StoreFailure) -> FanOut {
        guard case .fanOut(let step) = try await ask(.fanOut(app, limit: limit), lane: Self.lane(app)) else {
            throw mismatch
        }
        return step
    }

    package func claimDeliveries(
        _ app: AppID, _ limits: ClaimLimits
    ) async throws(StoreFailure) -> [ClaimedDelivery] {
        var generator = SystemRandomNumberGenerator()
        let lease = Identifier(high: generator.next(), low: generator.next())
        let query = WebhookQuery.claim(app, limits, lease: lease)
        guard case .claimed(let claimed) = try await ask(query, lane: Self.lane(app)) else { throw mismatch }
        return claimed
    }

    package func recordDeliveries(_ app: AppID, _ reports: [DeliveryReport]) async throws(StoreFailure) {
        _ = try await submit(Submission(app: app, command: .webhook(.record(reports))))
    }
}
