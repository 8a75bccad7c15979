import Consent
import Postgres

/// What the webhook commands of a batch are decided on.
struct WebhookNeeds {
    struct EventName: Hashable {
        let endpoint: Identifier
        let seq: Int64
    }

    /// A lease that a report says it has; another's on the same delivery is another.
    struct Lease: Hashable {
        let delivery: Identifier
        let lease: Identifier
    }

    fileprivate(set) var endpoints: Set<Identifier> = []
    /// Endpoints whose places in the log may be set.
    fileprivate(set) var positions: Set<Identifier> = []
    /// Whether the app's endpoints are to be counted.
    fileprivate(set) var counts = false
    fileprivate(set) var leases: Set<Lease> = []
    fileprivate(set) var events: Set<EventName> = []
    fileprivate(set) var moments: [Instant] = []

    mutating func add(_ command: WebhookCommand) {
        if let endpoint = command.endpoint { endpoints.insert(endpoint) }
        switch command {
        case .create: counts = true
        case .replace(let id, _, _, _), .delete(let id): positions.insert(id)
        case .rotate, .test: break
        case .redeliver(let id, _, let seq): events.insert(EventName(endpoint: id, seq: seq))
        case .replay(let id, let since):
            positions.insert(id)
            moments.append(since)
        case .record(let reports):
            for report in reports {
                endpoints.insert(report.endpoint)
                leases.insert(Lease(report))
            }
        }
    }
}

/// The statements of a batch's first flight that lock and load what its webhook commands are decided on.
enum WebhookLoad {
    enum Part {
        case endpoints, positions, count, leased, events, places
    }

    static func statements(_ app: AppID, _ needs: WebhookNeeds) -> [(Part, Statement, Parameters)] {
        var statements: [(Part, Statement, Parameters)] = []
        func add(_ part: Part, _ statement: Statement, _ fill: (inout Parameters) -> Void) {
            var binds = Parameters(capacity: 256)
            binds.append(app)
            fill(&binds)
            statements.append((part, statement, binds))
        }
        if !needs.endpoints.isEmpty {
            add(.endpoints, WebhookEndpointTable.lock) { $0.append(identifiers: needs.endpoints.sorted()) }
        }
        if !needs.positions.isEmpty {
            add(.positions, WebhookEndpointTable.lockPositions) { $0.append(identifiers: needs.positions.sorted()) }
        }
        if !needs.leases.isEmpty {
            let leases = Array(needs.leases)
            add(.leased, WebhookDeliveryTable.lockLeased) {
                $0.append(identifiers: leases.map(\.delivery))
                $0.append(identifiers: leases.map(\.lease))
            }
        }
        if needs.counts { add(.count, WebhookEndpointTable.count) { _ in } }
        if !needs.events.isEmpty {
            let events = Array(needs.events)
            add(.events, WebhookDeliveryTable.ofEvents) {
                $0.append(identifiers: events.map(\.endpoint))
                $0.append(int8s: events.map(\.seq))
            }
        }
        if !needs.moments.isEmpty {
            add(.places, WebhookEndpointTable.places) { $0.append(timestamps: needs.moments.map(\.microseconds)) }
        }
        return statements
    }
}

/// What a batch holds of an app's webhooks, as its commands change it.
struct WebhookHoldings {
    /// A delivery whose lease a report names.
    struct Leased {
        let endpoint: Identifier
        let attempts: Int
        let tries: Int
    }

    /// An event that a redelivery names, and its delivery where there is one.
    struct Event {
        let feed: String
        let delivery: Identifier?
    }

    var endpoints: [Identifier: WebhookEndpoint] = [:]
    var count = 0
    /// Taken out as reports come, so that each counts once.
    var leased: [WebhookNeeds.Lease: Leased] = [:]
    var events: [WebhookNeeds.EventName: Event] = [:]
    var places: [Instant: (feed: String, seq: Int64)] = [:]

    /// When an endpoint last changed, of those that are held.
    var latest: Instant? { endpoints.values.lazy.map(\.updatedAt).max() }

    mutating func read(_ part: WebhookLoad.Part, _ row: Row, _ needs: WebhookNeeds) throws(DatabaseError) {
        switch part {
        case .endpoints:
            let endpoint = try WebhookEndpointTable.decode(row)
            endpoints[endpoint.id] = endpoint
        case .positions: break
        case .count: count = Int(try row.int8(0))
        case .leased:
            let lease = WebhookNeeds.Lease(delivery: try row.identifier(0), lease: try row.identifier(1))
            leased[lease] = Leased(
                endpoint: try row.identifier(2), attempts: Int(try row.int4(3)), tries: Int(try row.int4(4)))
        case .events:
            let name = WebhookNeeds.EventName(endpoint: try row.identifier(0), seq: try row.int8(1))
            events[name] = Event(feed: try row.text(3), delivery: try row.identifierOrNil(2))
        case .places:
            let number = Int(try row.int8(0)) - 1
            guard needs.moments.indices.contains(number) else { throw row.foreign(0) }
            places[needs.moments[number]] = (try row.text(1), try row.int8(2))
        }
    }
}

extension WebhookNeeds.Lease {
    init(_ report: DeliveryReport) {
        self.init(delivery: report.delivery, lease: report.lease)
    }
}
