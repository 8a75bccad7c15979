import Postgres

extension Listener.Observation {
    /// How much the line matters that tells of it.
    var level: LogLevel {
        switch self {
        case .listening: .info
        case .deaf, .refused, .lost: .warning
        }
    }

    /// The line that tells of it; errors by their safe description, which quotes no data.
    func line(_ level: LogLevel) -> [UInt8] {
        switch self {
        case .listening(let failures):
            var line = LogLine(level, "listener.listening")
            line.field("afterFailures", failures)
            return line.finish()
        case .deaf:
            var line = LogLine(level, "listener.deaf")
            line.field("reason", "notifications do not arrive, as behind a transaction pooler; the logs are polled")
            return line.finish()
        case .refused(let error):
            var line = LogLine(level, "listener.refused")
            line.field("error", error.description)
            line.field("detail", error.connectMessage)
            return line.finish()
        case .lost(let error):
            var line = LogLine(level, "listener.lost")
            line.field("error", error.description)
            return line.finish()
        }
    }
}
