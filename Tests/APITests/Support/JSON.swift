import Foundation

/// A JSON value of a reply, read by another reader than the one under test.
@dynamicMemberLookup
enum JSON: Equatable, Sendable, CustomStringConvertible {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])
    /// Nothing stands there.
    case missing

    init(_ bytes: [UInt8]) {
        self = (try? JSONDecoder().decode(JSON.self, from: Data(bytes))) ?? .missing
    }

    subscript(_ name: String) -> JSON {
        guard case .object(let members) = self else { return .missing }
        return members[name] ?? .missing
    }

    subscript(_ index: Int) -> JSON {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return .missing }
        return elements[index]
    }

    subscript(dynamicMember name: String) -> JSON { self[name] }

    var string: String? { if case .string(let text) = self { text } else { nil } }
    var int: Int? { if case .number(let number) = self { Int(number) } else { nil } }
    var array: [JSON] { if case .array(let elements) = self { elements } else { [] } }
    var members: Set<String> { if case .object(let members) = self { Set(members.keys) } else { [] } }

    var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let text): "\"\(text)\""
        case .array(let elements): "\(elements)"
        case .object(let members): "\(members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })"
        case .missing: "(missing)"
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByNilLiteral, ExpressibleByArrayLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(nilLiteral: ()) { self = .null }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: Decodable {
    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let array = try? value.decode([JSON].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSON].self))
        }
    }
}
