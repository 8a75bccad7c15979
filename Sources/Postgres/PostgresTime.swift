/// PostgreSQL counts microseconds from 2000-01-01 UTC; between rooms they count from the Unix epoch.
/// Its infinities are the ends of Int64 and stay so.
enum PostgresTime {
    private static let epoch: Int64 = 946_684_800_000_000

    static func fromUnix(_ micros: Int64) -> Int64 {
        if micros == .max { return .max }
        let (value, overflow) = micros.subtractingReportingOverflow(epoch)
        return overflow ? .min : value
    }

    static func toUnix(_ micros: Int64) -> Int64 {
        if micros == .min { return .min }
        let (value, overflow) = micros.addingReportingOverflow(epoch)
        return overflow ? .max : value
    }
}
