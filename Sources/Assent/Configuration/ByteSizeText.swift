/// Numbers of bytes as people write them: `65536`, `64KiB`, `1MiB`.
enum ByteSizeText {
    static func parse(_ text: String) -> Int? {
        guard let (number, unit) = DecimalText.parseWithUnit(text), number <= 1 << 40 else { return nil }
        switch unit {
        case "": return number
        case "KiB": return number * 1024
        case "MiB": return number * 1024 * 1024
        default: return nil
        }
    }

    /// In the largest unit that leaves a whole number.
    static func show(_ bytes: Int) -> String {
        if bytes != 0, bytes % (1024 * 1024) == 0 { return "\(bytes / (1024 * 1024))MiB" }
        if bytes != 0, bytes % 1024 == 0 { return "\(bytes / 1024)KiB" }
        return "\(bytes)"
    }
}
