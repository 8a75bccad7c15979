import Workers

extension DeliveryNews {
    /// An attempt that failed is the receiver's business first: its delivery log says the same.
    var level: LogLevel? {
        switch self {
        case .attempted(let attempt):
            switch attempt.result {
            case .answered(200...299, _): .debug
            case .answered: .info
            case .failed(.blocked), .failed(.unsigned): .warning
            case .failed: .info
            }
        case .looked: nil
        case .gaveUp: .info
        case .failed: .warning
        }
    }

    /// Which endpoint of which app, but neither its URL nor what was sent.
    func line(_ level: LogLevel) -> [UInt8] {
        switch self {
        case .attempted(let attempt):
            var line = LogLine(level, "webhook.attempt")
            line.field("app", attempt.app.text)
            line.field("endpoint", attempt.endpoint.text)
            line.field("delivery", attempt.delivery.text)
            line.field("number", attempt.number)
            switch attempt.result {
            case .answered(let status, _): line.field("status", status)
            case .failed(let failure):
                line.field("failure", failure.rawValue)
                if failure == .blocked { line.field("setting", "webhook-allow") }
            }
            line.field("ms", attempt.milliseconds)
            return line.finish()
        case .looked: return LogLine(level, "webhook.look").finish()
        case .gaveUp: return LogLine(level, "webhook.gaveUp").finish()
        case .failed(let failure):
            var line = LogLine(level, "webhook.failed")
            line.field("reason", failure.words)
            return line.finish()
        }
    }
}
