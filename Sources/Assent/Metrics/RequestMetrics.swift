import HTTPServer

/// What is counted of finished requests, by route and method; the rows are made at start, so recording locks nothing.
final class RequestMetrics: Sendable {
    struct Key: Hashable, Sendable {
        let method: Method
        let template: String
    }

    final class Row: Sendable {
        let method: String
        let route: String
        let statuses = StatusCounters()
        let durations = Histogram(bounds: Histogram.latencyBounds)

        init(method: String, route: String) {
            self.method = method
            self.route = route
        }
    }

    private let rows: [Row]
    private let places: [Key: Int]
    private let other = Row(method: "other", route: "other")

    /// - Parameter routes: every method and template the server routes; HEAD and OPTIONS are added to each.
    init(routes: [Key]) {
        var rows: [Row] = []
        var places: [Key: Int] = [:]
        for route in routes {
            for method in [route.method, .head, .options] {
                let key = Key(method: method, template: route.template)
                if places[key] != nil { continue }
                places[key] = rows.count
                rows.append(Row(method: method.text, route: route.template))
            }
        }
        self.rows = rows
        self.places = places
    }

    func record(_ record: ExchangeRecord) {
        let row = row(record)
        row.statuses.count(record.status)
        row.durations.record(record.micros)
    }

    private func row(_ record: ExchangeRecord) -> Row {
        guard let method = record.method, let template = record.route,
            let place = places[Key(method: method, template: template)]
        else { return other }
        return rows[place]
    }

    func write(to text: inout Exposition) {
        let used = (rows + [other]).map { ($0, $0.statuses.reading) }.filter { !$0.1.isEmpty }
        text.family("assent_http_requests_total", .counter, "Finished requests; status 0 had no answer.")
        for (row, statuses) in used {
            for (status, count) in statuses {
                text.sample([("method", row.method), ("route", row.route), ("status", status)], count)
            }
        }
        text.family("assent_http_request_duration_seconds", .histogram, "From request line to last byte handed over.")
        for (row, _) in used {
            text.histogram([("method", row.method), ("route", row.route)], row.durations, scale: 1_000_000)
        }
    }
}
