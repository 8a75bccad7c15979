/// Which types of events somebody wants: all of them, a family such as `question.*`, or one.
package struct EventPattern: Sendable, Hashable {
    /// `*`, a family's name and `.*`, or a type's name.
    package let text: String

    package static let all = EventPattern(trusted: "*")

    /// Nil unless the text is `*` or fits a type that there is.
    package init?(_ text: String) {
        self.init(trusted: text)
        if self != .all, EventType.named(text.utf8).isEmpty { return nil }
    }

    /// Takes what was checked before; a type that is gone fits nothing.
    package init(trusted text: String) {
        self.text = text
    }

    package func matches(_ type: EventType) -> Bool {
        self == .all || EventType.named(text.utf8).contains(type)
    }

    /// Every pattern there is with each type it fits, so that a database can join what is decided here.
    package static let pairs: [(pattern: EventPattern, type: EventType)] = EventType.allCases.flatMap { type in
        let family = type.rawValue.utf8.prefix { $0 != UInt8(ascii: ".") }
        let patterns = [
            all, EventPattern(trusted: String(Substring(family)) + ".*"), EventPattern(trusted: type.rawValue),
        ]
        return patterns.map { ($0, type) }
    }
}
