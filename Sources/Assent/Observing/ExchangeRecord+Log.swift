import HTTPServer

extension ExchangeRecord {
    /// The access log's line: the route's template, never the target, which may name a child.
    func line(_ level: LogLevel) -> [UInt8] {
        var line = LogLine(level, "request")
        line.field("id", id)
        line.field("method", method?.text)
        line.field("route", route)
        line.field("status", status)
        line.milliseconds("ms", micros)
        line.field("in", bytesIn)
        line.field("out", bytesOut)
        if ending != .answered { line.field("ending", ending.rawValue) }
        return line.finish()
    }
}
