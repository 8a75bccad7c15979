import Postgres

extension PoolObservation {
    /// How much the line matters that tells of it; nil where only the metrics care.
    var level: LogLevel? {
        switch self {
        case .batch, .committed: nil
        case .retried: .debug
        case .connected(let failures): failures > 0 ? .info : .debug
        case .halved, .refused, .lost: .warning
        case .failed(_, let failure):
            switch failure {
            case .expired, .stopping: .info
            case .unavailable, .outcomeUnknown: .warning
            case .poisoned: .error
            }
        case .outcome(let outcome):
            switch outcome {
            case .committed, .notCommitted: .info
            case .unknown: .warning
            }
        }
    }

    /// The line that tells of it; errors by their safe description, which quotes no data.
    func line(_ level: LogLevel, pool: String) -> [UInt8] {
        switch self {
        case .batch, .committed: return Self.line(level, "database.batch", pool).finish()
        case .retried(let error): return Self.line(level, "database.retried", pool, error).finish()
        case .halved(let items, let error):
            var line = Self.line(level, "database.halved", pool, error)
            line.field("items", items)
            return line.finish()
        case .failed(let items, let failure):
            var line = Self.line(level, "database.failed", pool)
            line.field("items", items)
            line.field("reason", failure.description)
            return line.finish()
        case .connected(let failures):
            var line = Self.line(level, "database.connected", pool)
            line.field("afterFailures", failures)
            return line.finish()
        case .refused(let error):
            var line = Self.line(level, "database.refused", pool, error)
            line.field("detail", error.connectMessage)
            return line.finish()
        case .lost(let error): return Self.line(level, "database.lost", pool, error).finish()
        case .outcome(let outcome):
            var line = Self.line(level, "database.outcome", pool)
            line.field("outcome", "\(outcome)")
            return line.finish()
        }
    }

    private static func line(
        _ level: LogLevel, _ event: StaticString, _ pool: String, _ error: DatabaseError? = nil
    ) -> LogLine {
        var line = LogLine(level, event)
        line.field("pool", pool)
        line.field("error", error?.description)
        return line
    }
}
