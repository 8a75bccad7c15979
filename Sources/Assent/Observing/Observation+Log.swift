import Postgres

extension Observation {
    /// How much the line matters that tells of it; nil where there is none.
    func level(_ accessLog: Configuration.AccessLog) -> LogLevel? {
        switch self {
        case .starting, .migrated, .listening, .stopping, .stopped: .info
        case .strangeVariable: .warning
        case .cluster(let news):
            switch news {
            case .started, .stopped: .info
            case .died, .troubled: .warning
            }
        case .request(let record):
            switch accessLog {
            case .all: record.status >= 500 ? .warning : .info
            case .failures: record.status >= 500 ? .warning : nil
            case .none: nil
            }
        case .pool(_, let observation): observation.level
        case .failed: .error
        }
    }

    /// The line that tells of it.
    func line(_ level: LogLevel) -> [UInt8] {
        switch self {
        case .starting(let settings):
            var line = LogLine(level, "starting")
            line.field("version", Build.version)
            line.fields("settings", settings)
            return line.finish()
        case .strangeVariable(let name, let near):
            var line = LogLine(level, "setting.unknown")
            line.field("variable", name)
            if !near.isEmpty { line.list("near", near) }
            return line.finish()
        case .cluster(let news): return news.line(level)
        case .migrated(let numbers):
            var line = LogLine(level, "database.migrated")
            line.list("applied", numbers.map { "\($0)" })
            return line.finish()
        case .listening(let news):
            var line = LogLine(level, "listening")
            line.field("address", news.address)
            line.field("port", news.port)
            line.field("scheme", news.tls ? "https" : "http")
            line.field("connectionLimit", news.connectionLimit)
            line.field("openFiles", news.openFiles)
            return line.finish()
        case .request(let record):
            var line = LogLine(level, "request")
            line.field("id", record.id)
            line.field("method", record.method?.text)
            line.field("route", record.route)
            line.field("status", record.status)
            line.milliseconds("ms", record.micros)
            line.field("in", record.bytesIn)
            line.field("out", record.bytesOut)
            if record.ending != .answered { line.field("ending", record.ending.rawValue) }
            return line.finish()
        case .pool(let name, let observation): return observation.line(level, pool: name)
        case .stopping(let signal):
            var line = LogLine(level, "stopping")
            line.field("signal", Int(signal))
            return line.finish()
        case .stopped: return LogLine(level, "stopped").finish()
        case .failed(let sentence):
            var line = LogLine(level, "failed")
            line.field("reason", sentence)
            return line.finish()
        }
    }
}

extension Observation.ClusterNews {
    fileprivate func line(_ level: LogLevel) -> [UInt8] {
        switch self {
        case .started: return LogLine(level, "cluster.started").finish()
        case .stopped: return LogLine(level, "cluster.stopped").finish()
        case .died: return LogLine(level, "cluster.died").finish()
        case .troubled(let sentence):
            var line = LogLine(level, "cluster.troubled")
            line.field("reason", sentence)
            return line.finish()
        }
    }
}
