import Store

extension Observation {
    /// How much the line matters that tells of it; nil where there is none.
    func level(_ accessLog: Configuration.AccessLog) -> LogLevel? {
        switch self {
        case .starting, .migrated, .listening, .stopping, .stopped: .info
        case .strangeVariable, .waitingForDatabase: .warning
        case .cluster(let news): news.level
        case .request(let record):
            switch accessLog {
            case .all: record.status >= 500 ? .warning : .info
            case .failures: record.status >= 500 ? .warning : nil
            case .none: nil
            }
        case .decided, .limited: nil
        case .appStoreRoots(let roots): roots.isEmpty ? nil : .info
        case .notification(let news): news.level
        case .databaseFault, .failed: .error
        case .pool(_, let observation): observation.level
        case .listener(let observation): observation.level
        case .swept(.success(let report)): report.resolved > 0 ? .info : nil
        case .pruned(.success): .debug
        case .cancelledWithdrawn(.success(let questions)): questions > 0 ? .info : nil
        case .reminded(.success(let questions)): questions > 0 ? .info : nil
        case .delivery(let news): news.level
        case .swept(.failure), .cancelledWithdrawn(.failure), .reminded(.failure), .pruned(.failure): .warning
        }
    }

    /// The line that tells of it.
    func line(_ level: LogLevel) -> [UInt8] {
        switch self {
        case .starting(let settings):
            var line = LogLine(level, "starting")
            line.field("version", Build.version)
            line.field("allocator", "jemalloc \(Allocator.version)")
            line.fields("settings", settings)
            return line.finish()
        case .strangeVariable(let name, let near):
            var line = LogLine(level, "setting.unknown")
            line.field("variable", name)
            if !near.isEmpty { line.list("near", near) }
            return line.finish()
        case .cluster(let news): return news.line(level)
        case .waitingForDatabase(let error): return LogLine.failure(level, "database.waiting", error.description)
        case .migrated(let numbers):
            var line = LogLine(level, "database.migrated")
            line.list("applied", numbers.map { "\($0)" })
            return line.finish()
        case .listening(let news): return news.line(level)
        case .request(let record): return record.line(level)
        case .decided: return LogLine(level, "decided").finish()
        case .limited(let policy):
            var line = LogLine(level, "limited")
            line.field("policy", policy.rawValue)
            return line.finish()
        case .appStoreRoots(let roots):
            var line = LogLine(level, "appStore.roots")
            line.list("sha256", roots.map(\.fingerprint))
            line.list("subjects", roots.map(\.subject))
            return line.finish()
        case .notification(let news): return news.line(level)
        case .databaseFault(let sqlState, let route, let requestID):
            var line = LogLine(level, "database.fault")
            line.field("sqlState", sqlState)
            line.field("route", route)
            line.field("id", requestID)
            return line.finish()
        case .pool(let name, let observation): return observation.line(level, pool: name)
        case .listener(let observation): return observation.line(level)
        case .swept(.success(let report)):
            var line = LogLine(level, "sweep")
            line.field("resolved", report.resolved)
            line.milliseconds("lagMs", report.lag)
            return line.finish()
        case .swept(.failure(let failure)): return LogLine.failure(level, "sweep.failed", failure.words)
        case .cancelledWithdrawn(.success(let questions)):
            var line = LogLine(level, "withdrawal")
            line.field("cancelled", questions)
            return line.finish()
        case .cancelledWithdrawn(.failure(let failure)):
            return LogLine.failure(level, "withdrawal.failed", failure.words)
        case .reminded(.success(let questions)):
            var line = LogLine(level, "reminders")
            line.field("questions", questions)
            return line.finish()
        case .reminded(.failure(let failure)): return LogLine.failure(level, "reminders.failed", failure.words)
        case .pruned(.success(let pruned)):
            var line = LogLine(level, "retention")
            line.field("kind", pruned.kind.rawValue)
            line.field("rows", pruned.rows)
            return line.finish()
        case .pruned(.failure(let failure)): return LogLine.failure(level, "retention.failed", failure.words)
        case .delivery(let news): return news.line(level)
        case .stopping(let signal):
            var line = LogLine(level, "stopping")
            line.field("signal", Int(signal))
            return line.finish()
        case .stopped: return LogLine(level, "stopped").finish()
        case .failed(let sentence): return LogLine.failure(level, "failed", sentence)
        }
    }
}

extension Observation.ListeningNews {
    fileprivate func line(_ level: LogLevel) -> [UInt8] {
        var line = LogLine(level, "listening")
        line.field("address", address)
        line.field("port", port)
        line.field("scheme", tls ? "https" : "http")
        line.field("connectionLimit", connectionLimit)
        line.field("openFiles", openFiles)
        return line.finish()
    }
}

extension LogLine {
    fileprivate static func failure(_ level: LogLevel, _ event: StaticString, _ reason: String) -> [UInt8] {
        var line = LogLine(level, event)
        line.field("reason", reason)
        return line.finish()
    }
}
