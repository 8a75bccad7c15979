import JSON

/// One log line under construction: a JSON object that begins with time, level and event.
struct LogLine {
    private var writer: JSONWriter

    init(_ level: LogLevel, _ event: StaticString, at microseconds: Int64 = WallClock.microseconds) {
        writer = JSONWriter(capacity: 256)
        writer.beginObject()
        writer.key("time")
        writer.timestamp(microseconds)
        writer.key("level")
        writer.string(level.rawValue)
        writer.key("event")
        event.withUTF8Buffer { writer.string(utf8: $0) }
    }

    /// Adds a field; nil adds none.
    mutating func field(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        writer.key(name)
        writer.string(value)
    }

    mutating func field(_ name: StaticString, _ value: Int) {
        writer.key(name)
        writer.integer(value)
    }

    /// Microseconds, written as milliseconds with three decimals, the unit people compare.
    mutating func milliseconds(_ name: StaticString, _ microseconds: Int64) {
        writer.key(name)
        writer.raw(Self.thousandths(microseconds))
    }

    /// An object of texts in the order given.
    mutating func fields(_ name: StaticString, _ values: [(name: String, value: String)]) {
        writer.key(name)
        writer.beginObject()
        for (name, value) in values {
            writer.key(escaping: name)
            writer.string(value)
        }
        writer.endObject()
    }

    mutating func list(_ name: StaticString, _ values: [String]) {
        writer.key(name)
        writer.beginArray()
        for value in values { writer.string(value) }
        writer.endArray()
    }

    /// The finished line, without its newline.
    consuming func finish() -> [UInt8] {
        writer.endObject()
        return writer.finish()
    }

    /// The line that tells of lines nobody will read, with its newline.
    static func dropped(_ count: Int) -> [UInt8] {
        var line = LogLine(.warning, "log.dropped")
        line.field("lines", count)
        return line.finish() + [0x0a]
    }

    private static func thousandths(_ value: Int64) -> [UInt8] {
        let value = max(0, value)
        var digits = Array(String(value / 1000).utf8)
        let rest = UInt8(truncatingIfNeeded: value % 1000 / 100), cents = UInt8(truncatingIfNeeded: value % 100 / 10)
        digits.append(0x2e)
        digits.append(0x30 + rest)
        digits.append(0x30 + cents)
        digits.append(0x30 + UInt8(truncatingIfNeeded: value % 10))
        return digits
    }
}
