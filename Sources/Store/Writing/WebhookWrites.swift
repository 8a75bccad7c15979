import Consent
import Postgres

/// What a batch writes of an app's webhooks.
struct WebhookWrites {
    /// What a delivery became by an attempt, and the attempt.
    struct Settled {
        let delivery: Identifier
        let verdict: DeliveryVerdict
        let attempt: DeliveryAttempt
    }

    /// A delivery that begins, or begins anew.
    struct Sent {
        let delivery: Identifier
        let endpoint: Identifier
        let seq: Int64?
    }

    private var changed: [Identifier: WebhookEndpoint] = [:]
    private var new: Set<Identifier> = []
    private var deleted: Set<Identifier> = []
    /// Endpoints that begin with what comes from now on.
    private var started: Set<Identifier> = []
    private var rewound: [Identifier: Int64] = [:]
    var sent: [Sent] = []
    var settled: [Settled] = []
    /// Deliveries to take away: those from before a moment, at most so many.
    var pruned: [(before: Instant, limit: Int)] = []

    var isEmpty: Bool {
        changed.isEmpty && deleted.isEmpty && rewound.isEmpty && sent.isEmpty && settled.isEmpty && pruned.isEmpty
    }

    mutating func put(_ endpoint: WebhookEndpoint, isNew: Bool = false, starts: Bool = false) {
        changed[endpoint.id] = endpoint
        if isNew { new.insert(endpoint.id) }
        if starts {
            started.insert(endpoint.id)
            rewound[endpoint.id] = nil
        }
    }

    mutating func rewind(_ endpoint: Identifier, to seq: Int64) {
        rewound[endpoint] = min(rewound[endpoint] ?? seq, seq)
    }

    mutating func delete(_ endpoint: Identifier) {
        changed[endpoint] = nil
        started.remove(endpoint)
        rewound[endpoint] = nil
        sent.removeAll { $0.endpoint == endpoint }
        if new.remove(endpoint) == nil { deleted.insert(endpoint) }
    }

    func add(_ app: AppID, at now: Instant, to flight: inout Flight) {
        for endpoint in changed.values.sorted(by: { $0.id < $1.id }) {
            if new.contains(endpoint.id) {
                flight.add(WebhookEndpointTable.insert, WebhookEndpointTable.insertion(app, endpoint))
            } else {
                flight.add(WebhookEndpointTable.update, WebhookEndpointTable.updating(app, endpoint))
            }
        }
        if !deleted.isEmpty {
            var binds = start(app)
            binds.append(identifiers: deleted.sorted())
            flight.add(WebhookEndpointTable.delete, binds)
            flight.add(WebhookEndpointTable.deletePosition, binds)
        }
        for endpoint in started.sorted() {
            var binds = start(app)
            binds.append(endpoint)
            flight.add(WebhookEndpointTable.start, binds)
        }
        for (endpoint, seq) in rewound.sorted(by: { $0.key < $1.key }) {
            var binds = start(app)
            binds.append(endpoint)
            binds.append(int8: seq)
            flight.add(WebhookEndpointTable.rewind, binds)
        }
        addDeliveries(app, now, &flight)
    }

    private func addDeliveries(_ app: AppID, _ now: Instant, _ flight: inout Flight) {
        if !settled.isEmpty {
            let rows = settled.sorted { $0.delivery < $1.delivery }
            var binds = start(app)
            binds.append(now)
            binds.column(rows, of: .uuid) { $0.append(uuid: $1.delivery.halves) }
            binds.column(rows, of: .text) { $0.append(text: $1.verdict.status.rawValue) }
            binds.column(rows, of: .timestamptz) { $0.append(timestamp: $1.verdict.dueAt?.microseconds) }
            flight.add(WebhookDeliveryTable.settle, binds)
            var log = start(app)
            log.column(rows, of: .uuid) { $0.append(uuid: $1.delivery.halves) }
            log.column(rows, of: .int4) { $0.append(int4: Int32(clamping: $1.attempt.number)) }
            log.column(rows, of: .timestamptz) { $0.append(timestamp: $1.attempt.startedAt.microseconds) }
            log.column(rows, of: .int4) { $0.append(int4: Int32(clamping: $1.attempt.milliseconds)) }
            log.column(rows, of: .int2) { $0.append(int2: $1.attempt.status.map { Int16(clamping: $0) }) }
            log.column(rows, of: .text) { $0.append(text: $1.attempt.failure?.rawValue) }
            flight.add(WebhookDeliveryTable.log, log)
        }
        for sent in sent.sorted(by: {
            ($0.endpoint, $0.seq ?? 0, $0.delivery) < ($1.endpoint, $1.seq ?? 0, $1.delivery)
        }) {
            var binds = start(app)
            binds.append(sent.delivery)
            binds.append(sent.endpoint)
            binds.append(int8: sent.seq)
            binds.append(now)
            flight.add(WebhookDeliveryTable.send, binds)
        }
        for (before, limit) in pruned {
            var binds = start(app)
            binds.append(Identifier(lowestAt: before))
            binds.append(int8: Int64(limit))
            flight.add(WebhookDeliveryTable.prune, binds)
        }
    }

    private func start(_ app: AppID) -> Parameters {
        var binds = Parameters(capacity: 256)
        binds.append(app)
        return binds
    }
}

extension DeliveryVerdict {
    fileprivate var status: WebhookDelivery.Status {
        switch self {
        case .delivered: .delivered
        case .retry: .pending
        case .failed: .failed
        }
    }

    fileprivate var dueAt: Instant? {
        if case .retry(let moment) = self { moment } else { nil }
    }
}
