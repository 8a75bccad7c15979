import Consent
import Store
import TestSupport
import Testing

/// Short ways to endpoints and deliveries.
extension TestStore {
    static func endpointID(_ number: UInt64) -> Identifier {
        Identifier(high: 0x7000, low: 0x8000_0000_0000_0000 | number)
    }

    @discardableResult
    func endpoint(
        _ number: UInt64 = 1, types: [String] = ["*"], app: AppID? = nil
    ) async throws -> WebhookEndpoint {
        let settings = WebhookSettings(
            url: "https://\(number).example/hook", types: types.map { EventPattern(trusted: $0) })
        let command = WebhookCommand.create(
            id: Self.endpointID(number), settings, .enabled, sealedSecret: [UInt8(number)])
        return try #require(try await run(.webhook(command), app: app).webhookEndpoint)
    }

    func endpointNow(_ number: UInt64 = 1) async throws -> WebhookEndpoint {
        try #require(try await store.webhookEndpoint(app, Self.endpointID(number)))
    }

    /// Replaces an endpoint's status alone.
    @discardableResult
    func set(_ status: WebhookEndpoint.Status, of number: UInt64 = 1) async throws -> WebhookEndpoint {
        let settings = try await endpointNow(number).settings
        let reply = try await run(.webhook(.replace(Self.endpointID(number), settings, status, .none)))
        return try #require(reply.webhookEndpoint)
    }

    /// Fans out until nothing is left.
    @discardableResult
    func fanOut(limit: Int = 100) async throws -> Int {
        var total = 0
        while true {
            let step = try await store.fanOut(app, limit: limit)
            total += step.deliveries
            if !step.more { return total }
        }
    }

    /// Of endpoints that fail and of those that do not; at most so many of each.
    func claim(_ count: Int = 100, perEndpoint: Int = 100, seconds: Int = 60) async throws -> [ClaimedDelivery] {
        var claimed: [ClaimedDelivery] = []
        for health in [EndpointHealth.healthy, .failing] {
            let limits = ClaimLimits(health, count: count, perEndpoint: perEndpoint, leaseSeconds: seconds)
            claimed += try await store.claimDeliveries(app, limits)
        }
        return claimed
    }

    func record(_ claimed: [ClaimedDelivery], _ result: AttemptResult) async throws {
        let reports = claimed.map { DeliveryReport($0, result, milliseconds: 12, jitter: 0) }
        try await store.recordDeliveries(app, reports)
    }

    func deliveries(_ number: UInt64 = 1, _ status: WebhookDelivery.Status? = nil) async throws -> [WebhookDelivery] {
        let page = try await store.webhookDeliveries(
            app, endpoint: Self.endpointID(number), status: status, before: nil, limit: 100)
        return try #require(page).rows.map(\.delivery)
    }

    /// Lets every pending delivery be due, and every lease be over.
    func makeDue() throws {
        try execute("update webhook_delivery set due_at = clock_timestamp() where status = 'pending'")
    }
}

extension AttemptResult {
    static let ok = AttemptResult.answered(status: 204, retryAfterSeconds: nil)
    static let busy = AttemptResult.answered(status: 503, retryAfterSeconds: nil)
    static let gone = AttemptResult.answered(status: 410, retryAfterSeconds: nil)
}

extension Reply {
    var webhookEndpoint: WebhookEndpoint? {
        switch outcome {
        case .webhook(.endpoint(let endpoint, _)), .webhook(.rotated(let endpoint)): endpoint
        default: nil
        }
    }

    var webhookDelivery: Identifier? {
        if case .webhook(.delivery(_, let id)) = outcome { id } else { nil }
    }
}
