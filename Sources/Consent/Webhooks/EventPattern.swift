/// Which types of events somebody wants: all of them, a family such as `question.*`, or one.
package struct EventPattern: Sendable, Hashable {
    /// `*`, a family's name and `.*`, or a type's name.
    package let text: String

    package static let all = EventPattern(trusted: "*")

    /// Nil unless the text is `*` or fits a type that there is.
    package init?(_ text: String) {
        let pattern = EventPattern(trusted: text)
        guard EventType.allCases.contains(where: pattern.matches) else { return nil }
        self = pattern
    }

    /// Takes what was checked before; a type that is gone fits nothing.
    package init(trusted text: String) {
        self.text = text
    }

    package func matches(_ type: EventType) -> Bool {
        let (pattern, name) = (text.utf8, type.rawValue.utf8)
        if pattern.elementsEqual("*".utf8) { return true }
        guard pattern.count > 2, pattern.suffix(2).elementsEqual(".*".utf8) else { return pattern.elementsEqual(name) }
        return name.starts(with: pattern.dropLast())
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
