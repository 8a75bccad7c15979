import Postgres

extension EmbeddedCluster.Observation {
    /// How much the line matters that tells of it.
    var level: LogLevel {
        switch self {
        case .started: .info
        case .ended, .cannotStart: .warning
        }
    }

    /// The line that tells of it.
    func line(_ level: LogLevel) -> [UInt8] {
        switch self {
        case .started(let process):
            var line = LogLine(level, "cluster.started")
            line.field("process", Int(process))
            return line.finish()
        case .ended(let status):
            var line = LogLine(level, "cluster.ended")
            line.field("status", Int(status))
            return line.finish()
        case .cannotStart: return LogLine(level, "cluster.cannotStart").finish()
        }
    }
}
