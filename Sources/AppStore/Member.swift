import JSON

/// One member of a document that the store signed, whatever it turned out to be; unlike in a request's body a wrong member
/// is no reason to lose the document.
enum Member<Value> {
    /// Not there, or `null`.
    case absent
    /// Of another type, or beyond what can be kept.
    case wrong
    case value(Value)

    /// The value, if there is one.
    var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }
}

extension Member: Sendable where Value: Sendable {}
extension Member: Equatable where Value: Equatable {}

extension ObjectReader {
    /// A text of 1 to `longest` bytes.
    func text(_ name: StaticString, longest: Int = 255) -> Member<String> {
        switch kind(name) {
        case nil, .null: return .absent
        case .string:
            guard let text = string(name), (1...longest).contains(text.utf8.count) else { return .wrong }
            return .value(text)
        default: return .wrong
        }
    }

    /// An id as a text of 1 to 128 bytes of visible ASCII.
    func identifier(_ name: StaticString) -> Member<String> {
        switch text(name, longest: 128) {
        case .value(let text) where !text.utf8.allSatisfy { (0x21...0x7E).contains($0) }: .wrong
        case let member: member
        }
    }

    /// An integer of 64 bits; `1.0` and `"1"` are none.
    func number(_ name: StaticString) -> Member<Int> {
        switch kind(name) {
        case nil, .null: .absent
        case .integer: integer(name).map { .value($0) } ?? .wrong
        default: .wrong
        }
    }

    /// Milliseconds since the Unix epoch, as microseconds; only moments from 1970 to the year 9999.
    func moment(_ name: StaticString) -> Member<Int64> {
        switch number(name) {
        case .absent: .absent
        case .value(let milliseconds) where (0...Int(RFC3339.latest / 1_000)).contains(milliseconds):
            .value(Int64(milliseconds) * 1_000)
        case .value, .wrong: .wrong
        }
    }
}
