import API
import HTTPServer
import Store

extension Gauge {
    /// What an HTTP server tells of itself.
    static func all(of server: Server) -> [Gauge] {
        [
            Gauge("assent_http_connections", .gauge, "Client connections open.") { server.statistics.connections },
            Gauge("assent_http_connection_limit", .gauge, "Client connections held at once at most.") {
                server.connectionLimit
            },
            Gauge("assent_http_connections_accepted_total", .counter, "Client connections accepted.") {
                server.statistics.accepted
            },
            Gauge("assent_http_requests_in_flight", .gauge, "Requests between their request line and their end.") {
                server.statistics.exchanges
            },
            Gauge("assent_http_faults_total", .counter, "Requests the HTTP server refused by itself, by reason.") {
                server.statistics.faults.sorted { $0.key < $1.key }
                    .map { Sample([("reason", $0.key)], Double($0.value)) }
            },
        ]
    }

    /// What the App Store's desk tells of itself; nothing but zeros where there is none.
    static func all(of desk: AppStoreDesk?) -> [Gauge] {
        [
            Gauge("assent_verification_queue_depth", .gauge, "Signed tokens that wait to be verified.") {
                desk.map { $0.waiting } ?? 0
            },
            Gauge(
                "assent_verification_chains_total", .counter,
                "Tokens by whether their certificates were known or had to be verified."
            ) {
                let found = desk?.verifier.chainsFound ?? (hits: 0, misses: 0)
                return [
                    Sample([("cache", "hit")], Double(found.hits)), Sample([("cache", "miss")], Double(found.misses)),
                ]
            },
        ]
    }

    /// What the readers of the logs tell of themselves.
    static func all(of feed: EventFeed) -> [Gauge] {
        [
            Gauge("assent_streams", .gauge, "Event streams open.") { feed.statistics.streams },
            Gauge("assent_long_polls", .gauge, "Requests that wait for a difference.") { feed.statistics.waiting },
            Gauge("assent_stream_events_total", .counter, "Events written to streams.") { feed.statistics.sent },
            Gauge("assent_stream_resets_total", .counter, "Times a stream was told that its reader missed events.") {
                feed.statistics.resets
            },
            Gauge("assent_streams_cut_total", .counter, "Streams cut because their reader was too slow.") {
                feed.statistics.cut
            },
        ]
    }

    /// What the rate limits tell of themselves.
    static func all(of limits: RateLimits) -> [Gauge] {
        [
            Gauge(
                "assent_rate_limit_subjects", .gauge,
                "Keys, sources and others of which it is known that they have used some of a limit, by policy."
            ) {
                limits.subjects.map { Sample([("policy", $0.policy.rawValue)], Double($0.count)) }
            }
        ]
    }

    /// What the store tells of itself.
    static func all(of store: Store) -> [Gauge] {
        [
            Gauge("assent_database_connected", .gauge, "1 while both reading and writing could start.") {
                store.isConnected ? 1 : 0
            },
            Gauge("assent_database_queue_depth", .gauge, "Commands or reads that wait for a connection.") {
                [
                    Sample([("pool", "write")], Double(store.writeDepth)),
                    Sample([("pool", "read")], Double(store.readDepth)),
                ]
            },
        ]
    }
}
