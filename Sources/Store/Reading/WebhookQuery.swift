import Consent
import Postgres

/// A read about webhooks; part of `Query`. Leasing and making deliveries go this way too: each is one statement.
enum WebhookQuery: Sendable, Hashable {
    case endpoints(AppID)
    case endpoint(AppID, Identifier)
    case deliveries(AppID, Identifier, WebhookDelivery.Status?, before: Identifier?, limit: Int)
    case delivery(AppID, endpoint: Identifier, Identifier)
    case next
    case fanOut(AppID, limit: Int)
    /// The lease makes it unlike every other.
    case claim(AppID, ClaimLimits, lease: Identifier)

    func add(to flight: inout Flight) -> Int {
        switch self {
        case .endpoints(let app): return flight.add(WebhookEndpointTable.ofApp, Self.binds(app) { _ in })
        case .endpoint(let app, let id): return flight.add(WebhookEndpointTable.byID, Self.binds(app) { $0.append(id) })
        case .deliveries(let app, let endpoint, let status, let before, let limit):
            let first = flight.add(WebhookEndpointTable.byID, Self.binds(app) { $0.append(endpoint) })
            let page = Self.binds(app) {
                $0.append(endpoint)
                $0.append(texts: status.map { [$0.rawValue] } ?? WebhookDelivery.Status.allCases.map(\.rawValue))
                $0.append(before ?? Identifier(high: .max, low: .max))
                $0.append(int8: Int64(limit) + 1)
            }
            flight.add(WebhookDeliveryTable.page, page)
            return first
        case .delivery(let app, let endpoint, let id):
            let names = Self.binds(app) {
                $0.append(endpoint)
                $0.append(id)
            }
            return flight.add(WebhookDeliveryTable.byID, names)
        case .next:
            let first = flight.add(WebhookDeliveryTable.next)
            flight.add(Self.clock)
            return first
        case .fanOut(let app, let limit):
            let step = Self.binds(app) {
                $0.append(int8: Int64(limit))
                $0.append(texts: EventPattern.pairs.map(\.pattern.text))
                $0.append(texts: EventPattern.pairs.map(\.type.rawValue))
            }
            return flight.add(WebhookDeliveryTable.fanOut, step)
        case .claim(let app, let limits, let lease):
            let bounds = Self.binds(app) {
                $0.append(int8: Int64(limits.count))
                $0.append(int8: Int64(limits.perEndpoint))
                $0.append(int8: Int64(limits.leaseSeconds))
                $0.append(lease)
                $0.append(bool: limits.health == .failing)
            }
            return flight.add(WebhookDeliveryTable.claim, bounds)
        }
    }

    func decode(_ results: ArraySlice<ResultSet>) throws(DatabaseError) -> WebhookResult {
        guard let first = results.first else { throw Self.missing }
        let second = results.dropFirst().first
        switch self {
        case .endpoints:
            return .endpoints(
                try Self.rows(first) { row throws(DatabaseError) in try WebhookEndpointTable.decode(row) })
        case .endpoint:
            return .endpoint(
                try first.first.map { row throws(DatabaseError) in try WebhookEndpointTable.decode(row) })
        case .deliveries(_, _, _, _, let limit):
            guard !first.isEmpty, let second else { return .deliveries(nil) }
            let all = try Self.rows(second) { row throws(DatabaseError) in try WebhookDeliveryTable.decode(row) }
            return .deliveries(Page(rows: Array(all.prefix(limit)), more: all.count > limit))
        case .delivery:
            return .delivery(
                try first.first.map { row throws(DatabaseError) in try WebhookDeliveryTable.decode(row) })
        case .next:
            guard let clock = second?.first else { throw Self.missing }
            let next = try Self.rows(first) { row throws(DatabaseError) in
                NextDelivery(app: try row.appID(0), isBehind: try row.bool(1), dueAt: try row.instantOrNil(2))
            }
            return .next(next, now: try clock.instant(0))
        case .fanOut:
            guard let row = first.first else { throw Self.missing }
            return .fanOut(FanOut(deliveries: Int(try row.int8(0)), more: try row.bool(1)))
        case .claim(let app, _, let lease):
            let claimed = try Self.rows(first) { row throws(DatabaseError) in
                try WebhookDeliveryTable.decodeClaimed(row, app, lease: lease)
            }
            return .claimed(claimed.compactMap { $0 })
        }
    }

    private static let clock = Statement("webhook_clock", "select clock_timestamp()")

    private static var missing: DatabaseError {
        DatabaseError(.protocolViolation, detail: "a read about webhooks without its results")
    }

    private static func binds(_ app: AppID, _ fill: (inout Parameters) -> Void) -> Parameters {
        var binds = Parameters()
        binds.append(app)
        fill(&binds)
        return binds
    }

    private static func rows<Value>(
        _ result: ResultSet, _ decode: (Row) throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(result.count)
        for index in 0..<result.count { values.append(try decode(result[index])) }
        return values
    }
}

/// What a read about webhooks came to; part of `QueryResult`.
enum WebhookResult: Sendable {
    case endpoints([WebhookEndpoint])
    case endpoint(WebhookEndpoint?)
    case deliveries(Page<WebhookDeliveryRecord>?)
    case delivery(WebhookDeliveryRecord?)
    case next([NextDelivery], now: Instant)
    case fanOut(FanOut)
    case claimed([ClaimedDelivery])
}
