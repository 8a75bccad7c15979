/// A server's counters at one moment, for metrics.
package struct ServerStatistics: Sendable, Hashable {
    /// Connections open now.
    package let connections: Int
    /// Connections accepted since the start.
    package let accepted: Int
    /// Exchanges between their request line and their end now.
    package let exchanges: Int
    /// Exchanges waiting for their handler now.
    package let suspended: Int
    /// Requests begun since the start.
    package let requests: Int
    /// Faults answered or acted on since the start, by `Fault.kind`; `library_refusal` is what libmicrohttpd answered itself.
    package let faults: [String: Int]

    init(_ counters: Counters) {
        connections = counters.connections.load(ordering: .relaxed)
        accepted = counters.accepted.load(ordering: .relaxed)
        exchanges = counters.exchanges.load(ordering: .relaxed)
        suspended = counters.suspended.load(ordering: .relaxed)
        requests = counters.requests.load(ordering: .relaxed)
        faults = counters.faultsByKind
    }
}
