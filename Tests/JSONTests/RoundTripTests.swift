import JSON
import Testing

/// What the writer writes, the reader reads as the same value, for random values of every kind.
struct RoundTripTests {
    private indirect enum Tree: Equatable {
        case null
        case bool(Bool)
        case integer(Int)
        case string([UInt8])
        case array([Tree])
        case object([Member])
    }

    private struct Member: Equatable {
        var name: [UInt8]
        var value: Tree
    }

    @Test func randomTreesComeBack() throws {
        for _ in 0..<500 {
            let tree = Tree.object([Member(name: Array("root".utf8), value: random(depth: 6))])
            var writer = JSONWriter(capacity: 0)
            write(tree, to: &writer)
            let document = try JSONDocument.parse(writer.finish())
            let back = try document.readObject { body in body.value("root").flatMap(read) ?? .null }
            #expect(Tree.object([Member(name: Array("root".utf8), value: back)]) == tree)
        }
    }

    private func random(depth: Int) -> Tree {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5)) {
        case 0: return .null
        case 1: return .bool(.random())
        case 2: return .integer(.random(in: Int.min...Int.max))
        case 3, 4: return .string(randomText())
        case 5: return .array((0..<Int.random(in: 0..<5)).map { _ in random(depth: depth - 1) })
        default:
            var names = Set<[UInt8]>()
            for _ in 0..<Int.random(in: 0..<5) { names.insert(randomText()) }
            return .object(names.map { Member(name: $0, value: random(depth: depth - 1)) })
        }
    }

    /// Any scalars but U+0000, with those that need care more often than chance has them.
    private func randomText() -> [UInt8] {
        let special: [Unicode.Scalar] = [
            "\"", "\\", "\n", "\r", "\u{1}", "\u{1F}", "\u{7F}", "\u{FEFF}", "\u{301}", "😀",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<24) {
            if Bool.random(), let scalar = special.randomElement() {
                text.append(scalar)
            } else if let scalar = Unicode.Scalar(UInt32.random(in: 1...0x2FFF)) {
                text.append(scalar)
            }
        }
        return Array(String(text).utf8)
    }

    private func write(_ tree: Tree, to json: inout JSONWriter) {
        switch tree {
        case .null: json.null()
        case .bool(let value): json.bool(value)
        case .integer(let value): json.integer(value)
        case .string(let bytes): json.string(utf8: bytes)
        case .array(let elements):
            json.beginArray()
            for element in elements { write(element, to: &json) }
            json.endArray()
        case .object(let members):
            json.beginObject()
            for member in members {
                json.key(escaping: String(decoding: member.name, as: UTF8.self))
                write(member.value, to: &json)
            }
            json.endObject()
        }
    }

    private func read(_ value: ValueReader) -> Tree? {
        switch value.kind {
        case .null: .null
        case .boolean: value.bool().map { .bool($0) }
        case .integer: value.integer().map { .integer($0) }
        case .number: nil
        case .string: value.string().map { .string(Array($0.utf8)) }
        case .array: value.array(count: 0...9, read).map { .array($0) }
        case .object:
            value.entries(count: 0...9) { name, value in
                read(value).map { Member(name: Array(name.utf8), value: $0) }
            }
            .map { .object($0) }
        }
    }
}
