package import Consent

/// What an app's deliveries wait for.
package struct NextDelivery: Sendable, Hashable {
    package let app: AppID
    /// Whether its log has events that were not yet made into deliveries.
    package let isBehind: Bool
    /// When the next attempt is due; nil where none waits.
    package let dueAt: Instant?

    package init(app: AppID, isBehind: Bool, dueAt: Instant?) {
        self.app = app
        self.isBehind = isBehind
        self.dueAt = dueAt
    }
}

/// What one step over an app's log came to.
package struct FanOut: Sendable, Hashable {
    /// Deliveries that wait now and did not before.
    package let deliveries: Int
    /// Whether an endpoint is still behind the log, as far as this step saw.
    package let more: Bool

    package init(deliveries: Int, more: Bool) {
        self.deliveries = deliveries
        self.more = more
    }
}

/// Whether an endpoint's last attempt succeeded. Those that fail are claimed apart, so that receivers which hang cannot take
/// what the others need.
package enum EndpointHealth: Sendable, Hashable {
    case healthy, failing
}

/// How much may be claimed at once.
package struct ClaimLimits: Sendable, Hashable {
    /// Of which endpoints.
    package var health: EndpointHealth
    /// Deliveries in all.
    package var count: Int
    /// Deliveries of one endpoint, with those that are leased already to anybody: a receiver that hangs takes no more.
    package var perEndpoint: Int
    /// How long the lease is; no attempt may begin so late that it could end after that.
    package var leaseSeconds: Int

    package init(_ health: EndpointHealth = .healthy, count: Int, perEndpoint: Int, leaseSeconds: Int) {
        self.health = health
        self.count = count
        self.perEndpoint = perEndpoint
        self.leaseSeconds = leaseSeconds
    }
}

/// The delivery worker's view of the store.
package protocol DeliveryStore: Sendable {
    /// Every app with an enabled endpoint that has something to do now or later, and the database's present.
    func nextDeliveries() async throws(StoreFailure) -> (next: [NextDelivery], now: Instant)
    /// Makes events that came since into deliveries, at most `limit` for each endpoint; where another instance is at it, what
    /// that one leaves.
    func fanOut(_ app: AppID, limit: Int) async throws(StoreFailure) -> FanOut
    /// Leases deliveries that are due, of enabled endpoints of one health alone, each endpoint's in turn.
    func claimDeliveries(_ app: AppID, _ limits: ClaimLimits) async throws(StoreFailure) -> [ClaimedDelivery]
    /// Writes outcomes down; those whose lease is somebody else's by now change nothing.
    func recordDeliveries(_ app: AppID, _ reports: [DeliveryReport]) async throws(StoreFailure)
}
