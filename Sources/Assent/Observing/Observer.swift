/// Takes what the rooms report and lets the log and the metrics each make of it what they need.
struct Observer: Sendable {
    let sink: LogSink
    let metrics: Metrics
    let level: LogLevel
    let accessLog: Configuration.AccessLog

    func record(_ observation: Observation) {
        metrics.record(observation)
        if let level = observation.level(accessLog), level >= self.level { sink.append(observation.line(level)) }
    }
}
