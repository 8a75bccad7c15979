/// The sentences that say what a field must be; each completes "this field ...".
enum Expectation {
    static let required = "is required"
    static let unknown = "is not a known member"
    static let object = "must be an object"
    static let boolean = "must be true or false"
    static let timestamp =
        "must be an RFC 3339 date and time with an offset, such as \"2026-12-05T00:00:00Z\", in the years 0001 to 9999"

    static func string(bytes: ClosedRange<Int>) -> String {
        "must be a string" + size(bytes, of: "byte")
    }

    static func array(count: ClosedRange<Int>) -> String {
        "must be an array" + size(count, of: "element")
    }

    static func entries(count: ClosedRange<Int>) -> String {
        "must be an object" + size(count, of: "member")
    }

    static func integer(_ range: ClosedRange<Int>) -> String {
        switch (range.lowerBound, range.upperBound) {
        case (.min, .max): "must be an integer"
        case (let low, .max): "must be an integer, at least \(low)"
        case (.min, let high): "must be an integer, at most \(high)"
        case (let low, let high) where low == high: "must be the integer \(low)"
        case (let low, let high): "must be an integer from \(low) to \(high)"
        }
    }

    static func oneOf(_ names: some Collection<String>) -> String {
        let quoted = names.map { "\"\($0)\"" }.joined(separator: ", ")
        return names.count == 1 ? "must be \(quoted)" : "must be one of \(quoted)"
    }

    private static func size(_ range: ClosedRange<Int>, of unit: String) -> String {
        switch (range.lowerBound, range.upperBound) {
        case (...0, .max): ""
        case (let low, .max): " of at least \(plural(low, unit))"
        case (...0, let high): " of at most \(plural(high, unit))"
        case (let low, let high) where low == high: " of \(plural(low, unit))"
        case (let low, let high): " of \(low) to \(plural(high, unit))"
        }
    }

    private static func plural(_ count: Int, _ unit: String) -> String {
        count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
    }
}
