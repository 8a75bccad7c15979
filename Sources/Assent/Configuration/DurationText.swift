/// Spans of time as people write them: `500ms`, `10s`, `2m`, `1h`. A number without a unit is refused: it says nothing.
enum DurationText {
    static func parse(_ text: String) -> Duration? {
        guard let (number, unit) = DecimalText.parseWithUnit(text), number <= 1_000_000_000 else { return nil }
        switch unit {
        case "ms": return .milliseconds(number)
        case "s": return .seconds(number)
        case "m": return .seconds(number * 60)
        case "h": return .seconds(number * 3600)
        default: return nil
        }
    }

    /// In the largest unit that leaves a whole number.
    static func show(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        if attoseconds != 0 { return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000)ms" }
        if seconds != 0, seconds % 3600 == 0 { return "\(seconds / 3600)h" }
        if seconds > 60, seconds % 60 == 0 { return "\(seconds / 60)m" }
        return "\(seconds)s"
    }
}
