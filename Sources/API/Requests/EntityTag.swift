import Consent
import Crypto
import HTTPServer

/// Entity tags: `"3"` for a person or an app, `"3-pending"` for a question, whose state may change by time alone, `"3-en"`
/// for a change, which is shown in one of several languages, and a digest for what has no revision.
enum EntityTag {
    static func of(revision: Int) -> String {
        "\"" + String(revision) + "\""
    }

    static func of(_ change: Change, in language: String?) -> String {
        "\"" + String(change.revision) + (language.map { "-" + $0 } ?? "") + "\""
    }

    static func of(_ question: Question) -> String {
        "\"" + String(question.revision) + "-" + question.state.rawValue + "\""
    }

    /// Of a body that is made of many rows: half of its SHA-256.
    static func of(content: [UInt8]) throws(Problem) -> String {
        do {
            return "\"" + Base64URL.encode(Array(try SHA256.hash(content).bytes.prefix(16))) + "\""
        } catch {
            throw Problem(.internalError)
        }
    }
}

/// `If-Match` or `If-None-Match` as it was sent.
enum EntityTagList: Equatable {
    /// `*`.
    case any
    /// Opaque parts without their quotes, and whether each is weak.
    case tags([(opaque: ArraySlice<UInt8>, isWeak: Bool)])

    /// Nil for a field that RFC 9110 §8.8.3 does not allow.
    init?(_ field: ArraySlice<UInt8>) {
        var rest = field
        Self.skipBlanks(&rest)
        if rest.first == UInt8(ascii: "*") {
            rest = rest.dropFirst()
            Self.skipBlanks(&rest)
            guard rest.isEmpty else { return nil }
            self = .any
            return
        }
        var tags: [(opaque: ArraySlice<UInt8>, isWeak: Bool)] = []
        while true {
            Self.skipBlanks(&rest)
            let isWeak = rest.starts(with: "W/".utf8)
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.first == UInt8(ascii: "\"") else { return nil }
            rest = rest.dropFirst()
            guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
            let opaque = rest[..<end]
            guard opaque.allSatisfy({ $0 >= 0x21 && $0 != 0x7f }) else { return nil }
            tags.append((opaque, isWeak))
            rest = rest[(end + 1)...]
            Self.skipBlanks(&rest)
            if rest.isEmpty { break }
            guard rest.first == UInt8(ascii: ",") else { return nil }
            rest = rest.dropFirst()
        }
        self = .tags(tags)
    }

    /// Whether it names a tag, compared weakly as `If-None-Match` has it; `tag` with its quotes.
    func contains(_ tag: String) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains { $0.opaque.elementsEqual(tag.utf8.dropFirst().dropLast()) }
        }
    }

    private static func skipBlanks(_ rest: inout ArraySlice<UInt8>) {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
    }

    static func == (left: EntityTagList, right: EntityTagList) -> Bool {
        switch (left, right) {
        case (.any, .any): true
        case (.tags(let left), .tags(let right)): left.elementsEqual(right) { $0 == $1 }
        case (.any, .tags), (.tags, .any): false
        }
    }
}
