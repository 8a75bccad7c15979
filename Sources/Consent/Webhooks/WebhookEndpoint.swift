/// Where an app's events are sent, and how that has gone.
package struct WebhookEndpoint: Sendable, Hashable {
    /// Most endpoints an app may have: each costs every event a delivery.
    package static let mostPerApp = 50
    /// Most secrets that sign at once; at one more the oldest goes before its time.
    package static let mostSecrets = 5

    package enum Status: String, Sendable, Hashable, CaseIterable {
        case enabled
        /// Nothing is sent; events are not gathered for it either.
        case disabled
    }

    /// Why an endpoint is disabled; the names are the API's and the database's.
    package enum DisabledReason: String, Sendable, Hashable, CaseIterable {
        /// It answered 410.
        case gone
        /// No attempt succeeded for five days.
        case failing
        /// Whoever manages it said so.
        case operatorRequest = "operator"
    }

    package let id: Identifier
    package var settings: WebhookSettings
    package var status: Status
    /// Set exactly while it is disabled, as is `disabledAt`.
    package var disabledReason: DisabledReason?
    package var disabledAt: Instant?
    /// When the first attempt failed since the last one that succeeded; nil where none has.
    package var failingSince: Instant?
    package var lastSuccessAt: Instant?
    /// Newest first; the first never ends.
    package var secrets: [WebhookSecret]
    /// +1 whenever its settings, its status or its secrets change.
    package var revision: Int
    package let createdAt: Instant
    package var updatedAt: Instant

    package init(
        id: Identifier, settings: WebhookSettings, status: Status, disabledReason: DisabledReason? = nil,
        disabledAt: Instant? = nil, failingSince: Instant? = nil, lastSuccessAt: Instant? = nil,
        secrets: [WebhookSecret], revision: Int, createdAt: Instant, updatedAt: Instant
    ) {
        self.id = id
        self.settings = settings
        self.status = status
        self.disabledReason = disabledReason
        self.disabledAt = disabledAt
        self.failingSince = failingSince
        self.lastSuccessAt = lastSuccessAt
        self.secrets = secrets
        self.revision = revision
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

/// What a caller says of an endpoint.
package struct WebhookSettings: Sendable, Hashable {
    /// As it was given; the rules for it were applied then, and are again at each attempt.
    package var url: String
    /// Which events are sent; never empty.
    package var types: [EventPattern]
    /// For people; 0 to 1,000 bytes.
    package var description: String

    package init(url: String, types: [EventPattern], description: String = "") {
        self.url = url
        self.types = types
        self.description = description
    }

    package func wants(_ type: EventType) -> Bool { types.contains { $0.matches(type) } }

    package static func == (left: WebhookSettings, right: WebhookSettings) -> Bool {
        left.url.hasBytes(of: right.url) && left.types == right.types
            && left.description.hasBytes(of: right.description)
    }
}

/// A secret that signs deliveries, sealed under the operator's key.
package struct WebhookSecret: Sendable, Hashable {
    /// Ciphertext of 32 random bytes; `purpose` says what for.
    package let sealed: [UInt8]
    /// When it signs no more; nil for the one in force.
    package var endsAt: Instant?

    package init(sealed: [UInt8], endsAt: Instant?) {
        self.sealed = sealed
        self.endsAt = endsAt
    }

    /// What it is sealed for, with the app and the endpoint's id: one put into another endpoint's row does not open there.
    package static let purpose = "webhook-secret"
}

/// That an endpoint was disabled, as the log tells it.
package struct WebhookDisabling: Sendable, Hashable {
    package let endpoint: Identifier
    package let reason: WebhookEndpoint.DisabledReason
    /// When the first attempt failed since the last one that succeeded.
    package let failingSince: Instant?

    package init(endpoint: Identifier, reason: WebhookEndpoint.DisabledReason, failingSince: Instant?) {
        self.endpoint = endpoint
        self.reason = reason
        self.failingSince = failingSince
    }
}
