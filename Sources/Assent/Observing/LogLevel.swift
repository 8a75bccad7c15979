/// How much a line matters; a log takes its own level and those above it.
enum LogLevel: String, Sendable, CaseIterable, Comparable {
    case debug
    case info
    case warning
    case error

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }

    static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
}
