import API

extension NotificationNews {
    /// Those that came to nothing matter: a registration or a root may have to be put right.
    var level: LogLevel {
        switch self {
        case .kept(.quarantined, _): .warning
        case .kept: .info
        case .refused, .postponed: .warning
        }
    }

    /// What became of it; neither whom it concerns nor who sent it.
    func line(_ level: LogLevel) -> [UInt8] {
        switch self {
        case .kept(let status, let reason):
            var line = LogLine(level, "appStore.notification")
            line.field("status", status.rawValue)
            if let reason { line.field("reason", reason) }
            return line.finish()
        case .refused(let reason, let isLimited):
            var line = LogLine(level, "appStore.refused")
            line.field("reason", reason)
            line.field("limited", isLimited ? "true" : "false")
            return line.finish()
        case .postponed: return LogLine(level, "appStore.postponed").finish()
        }
    }
}
