import API
import Consent
import HTTPServer
import Postgres
import Testing
import Workers

@testable import Assent

/// What is counted, and the page Prometheus reads.
struct MetricsTests {
    private func record(
        _ method: Method?, _ route: String?, _ status: Int, micros: Int64 = 900
    ) -> ExchangeRecord {
        ExchangeRecord(
            method: method, route: route, status: status, micros: micros, bytesIn: 0, bytesOut: 0, id: "r",
            ending: .answered)
    }

    private func page(_ metrics: Metrics) -> [String] {
        String(decoding: metrics.page, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func countsNotificationsByWhatTheyCameTo() {
        let metrics = Metrics(routes: [], pools: [])
        metrics.record(.notification(.kept(.applied, reason: nil)))
        metrics.record(.notification(.kept(.applied, reason: nil)))
        metrics.record(.notification(.kept(.quarantined, reason: "bundle-mismatch")))
        metrics.record(.notification(.refused(reason: "root-not-trusted", isLimited: false)))
        metrics.record(.notification(.refused(reason: "root-not-trusted", isLimited: true)))
        metrics.record(.notification(.postponed))
        let lines = page(metrics)
        for line in [
            "assent_app_store_notifications_total{status=\"applied\"} 2",
            "assent_app_store_notifications_total{status=\"quarantined\"} 1",
            "assent_app_store_notifications_total{status=\"outdated\"} 0",
            "assent_app_store_refusals_total{reason=\"root-not-trusted\"} 2", "assent_app_store_limited_total 1",
            "assent_app_store_postponed_total 1",
        ] { #expect(lines.contains(line), "\(line)") }
    }

    @Test func countsRequestsByRouteMethodAndStatus() {
        let metrics = Metrics(routes: [.init(method: .get, template: "/v1/questions/{question}")], pools: [])
        metrics.record(.request(record(.get, "/v1/questions/{question}", 200)))
        metrics.record(.request(record(.get, "/v1/questions/{question}", 200, micros: 2_000_000)))
        metrics.record(.request(record(.head, "/v1/questions/{question}", 404)))
        metrics.record(.request(record(.get, nil, 404)))
        metrics.record(.request(record(.get, "/not/ours", 599)))
        let lines = page(metrics)
        let labels = "route=\"/v1/questions/{question}\""
        #expect(lines.contains("assent_http_requests_total{method=\"GET\",\(labels),status=\"200\"} 2"))
        #expect(lines.contains("assent_http_requests_total{method=\"HEAD\",\(labels),status=\"404\"} 1"))
        #expect(lines.contains("assent_http_requests_total{method=\"other\",route=\"other\",status=\"404\"} 1"))
        #expect(lines.contains("assent_http_requests_total{method=\"other\",route=\"other\",status=\"other\"} 1"))
        #expect(
            lines.contains("assent_http_request_duration_seconds_bucket{method=\"GET\",\(labels),le=\"0.001\"} 1"))
        #expect(lines.contains("assent_http_request_duration_seconds_bucket{method=\"GET\",\(labels),le=\"+Inf\"} 2"))
        #expect(lines.contains("assent_http_request_duration_seconds_sum{method=\"GET\",\(labels)} 2.0009"))
    }

    @Test func countsDecisionsByPhase() {
        let metrics = Metrics(routes: [], pools: [])
        var tally = AccessTally()
        for duties in [RegulatoryFeatures.unsupported, .unsupported, .unavailable] {
            let change = ChangeInEffect(id: CallerID(trusted: "c"), features: nil, version: "1", build: nil)
            tally.add(
                AccessDecision.decide(
                    PersonFacts(duties: duties), isRescinded: false, policy: Policy(), changes: [change],
                    questions: [:], acknowledged: [], now: Instant(microseconds: 0)))
        }
        metrics.record(.decided(tally))
        metrics.record(.decided(tally))
        let lines = page(metrics)
        #expect(lines.contains("assent_access_decisions_total{phase=\"clear\"} 4"))
        #expect(lines.contains("assent_access_decisions_total{phase=\"blocked\"} 2"))
        #expect(lines.contains("assent_access_decisions_total{phase=\"askGuardian\"} 0"))
        #expect(lines.contains("assent_access_unsupported_total 4"))
    }

    @Test func countsWhatRetentionTakesAway() {
        let metrics = Metrics(routes: [], pools: [])
        metrics.record(.pruned(.success(.init(kind: .events, rows: 500))))
        metrics.record(.pruned(.success(.init(kind: .events, rows: 2))))
        metrics.record(.pruned(.success(.init(kind: .counters, rows: 1))))
        metrics.record(.pruned(.failure(.unavailable)))
        let lines = page(metrics)
        #expect(lines.contains("assent_retention_rows_total{kind=\"events\"} 502"))
        #expect(lines.contains("assent_retention_rows_total{kind=\"counters\"} 1"))
        #expect(lines.contains("assent_retention_rows_total{kind=\"questions\"} 0"))
        #expect(lines.contains("assent_retention_failures_total 1"))
        // Every kind has a place.
        let kinds = lines.filter { $0.hasPrefix("assent_retention_rows_total{") }
        #expect(kinds.count == Retention.Kind.allCases.count)
    }

    @Test func countsWhatAPoolReports() {
        let metrics = Metrics(routes: [], pools: ["write", "read"])
        metrics.record(.pool(name: "write", .batch(items: 3, waited: .milliseconds(1), took: .milliseconds(2))))
        metrics.record(.pool(name: "write", .committed(after: .microseconds(300))))
        metrics.record(.pool(name: "write", .failed(items: 4, .expired)))
        metrics.record(.pool(name: "read", .lost(DatabaseError(.connectionLost, detail: ""))))
        let lines = page(metrics)
        #expect(lines.contains("assent_database_batch_items_bucket{pool=\"write\",le=\"4\"} 1"))
        #expect(lines.contains("assent_database_batch_items_sum{pool=\"write\"} 3"))
        #expect(lines.contains("assent_database_commit_seconds_bucket{pool=\"write\",le=\"0.0005\"} 1"))
        #expect(lines.contains("assent_database_items_failed_total{pool=\"write\",reason=\"expired\"} 4"))
        #expect(lines.contains("assent_database_connections_lost_total{pool=\"read\"} 1"))
        #expect(lines.contains("assent_database_connections_lost_total{pool=\"write\"} 0"))
    }

    @Test func writesEachFamilyOnceWithHelpAndType() {
        let metrics = Metrics(routes: [], pools: ["write", "read"])
        metrics.add([
            Gauge("assent_queue", .gauge, "Waiting.") {
                [Gauge.Sample([("pool", "read")], 1), Gauge.Sample([("pool", "write")], 2.5)]
            },
            Gauge("assent_open", .gauge, "Open.") { 7 },
        ])
        let lines = page(metrics)
        let families = lines.filter { $0.hasPrefix("# TYPE ") }
        #expect(Set(families).count == families.count)
        #expect(families.count == lines.count { $0.hasPrefix("# HELP ") })
        #expect(lines.contains("assent_queue{pool=\"read\"} 1"))
        #expect(lines.contains("assent_queue{pool=\"write\"} 2.5"))
        #expect(lines.contains("assent_open 7"))
    }

    @Test func valuesOnABoundCountBelowIt() {
        let histogram = Histogram(bounds: [1, 2])
        for value in [Int64(0), 1, 2, 3] { histogram.record(value) }
        #expect(histogram.reading.cumulative == [2, 3, 4])
        #expect(histogram.reading.sum == 6)
    }

    @Test func countsFromManyThreadsAddUp() async {
        let metrics = Metrics(routes: [.init(method: .get, template: "/x")], pools: [])
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 { metrics.record(.request(record(.get, "/x", 200))) }
                }
            }
        }
        #expect(
            page(metrics).contains("assent_http_requests_total{method=\"GET\",route=\"/x\",status=\"200\"} 8000"))
    }
}
