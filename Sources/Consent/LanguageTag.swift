/// Language tags of BCP 47 (RFC 5646), kept as they came and compared without regard to case.
package enum LanguageTag {
    /// The longest tag taken: the length RFC 5646 §4.4.1 asks every implementation to hold.
    package static let longest = 35

    /// Whether a text is a well-formed tag (RFC 5646 §2.1, §2.2.9) of at most 35 bytes.
    ///
    /// Well-formed is the grammar only: whether a subtag is registered changes with the registry and is not asked.
    package static func isValid(_ text: String) -> Bool {
        let bytes = text.utf8
        guard (1...longest).contains(bytes.count), bytes.allSatisfy({ isAlphanumeric($0) || $0 == hyphen }) else {
            return false
        }
        let subtags = subtags(text)
        guard subtags.allSatisfy({ (1...8).contains($0.count) }) else { return false }
        return isLanguageTag(subtags[...]) || isPrivateUse(subtags[...]) || isIrregular(text)
    }

    /// `language ["-" script] ["-" region] *("-" variant) *("-" extension) ["-" privateuse]`; each subtag's form tells
    /// which it is, so reading from the left never has to go back.
    private static func isLanguageTag(_ tag: ArraySlice<Subtag>) -> Bool {
        guard let language = tag.first, language.isLetters, (2...8).contains(language.count) else { return false }
        var rest = tag.dropFirst()
        if language.count <= 3 {
            for _ in 0..<3 {
                guard let next = rest.first, next.isLetters, next.count == 3 else { break }
                rest = rest.dropFirst()
            }
        }
        if let next = rest.first, next.isLetters, next.count == 4 { rest = rest.dropFirst() }
        if let next = rest.first, next.isRegion { rest = rest.dropFirst() }
        while let next = rest.first, next.isVariant { rest = rest.dropFirst() }
        while let next = rest.first, next.count == 1, !next.isPrivateSingleton {
            rest = rest.dropFirst()
            guard let value = rest.first, value.count >= 2 else { return false }
            while let value = rest.first, value.count >= 2 { rest = rest.dropFirst() }
        }
        return rest.isEmpty || isPrivateUse(rest)
    }

    private static func isPrivateUse(_ tag: ArraySlice<Subtag>) -> Bool {
        guard let first = tag.first, first.isPrivateSingleton else { return false }
        return tag.count > 1
    }

    /// Tags of the past that the grammar lists by name because no rule makes them.
    private static func isIrregular(_ text: String) -> Bool {
        let known = [
            "en-gb-oed", "i-ami", "i-bnn", "i-default", "i-enochian", "i-hak", "i-klingon", "i-lux", "i-mingo",
            "i-navajo", "i-pwn", "i-tao", "i-tay", "i-tsu", "sgn-be-fr", "sgn-be-nl", "sgn-ch-de",
        ]
        return known.contains { areSame($0, text) }
    }
}

extension LanguageTag {
    /// Whether two tags are one but for the case of their letters.
    package static func areSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).allSatisfy { lower($0) == lower($1) }
    }

    /// How many subtags two tags have in common from the left; 0 for two languages.
    static func sharedSubtags(_ left: String, _ right: String) -> Int {
        zip(subtags(left), subtags(right)).prefix { $0 == $1 }.count
    }

    /// The range that RFC 4647 §3.4 tries next: without its last subtag, nor a single letter that then stands last, which
    /// only opens what follows it. Empty when nothing is left to try.
    static func shortened(_ range: Substring) -> Substring {
        guard let cut = range.utf8.lastIndex(of: hyphen) else { return "" }
        var shorter = range[..<cut]
        if let before = shorter.utf8.lastIndex(of: hyphen), shorter.utf8.distance(from: before, to: cut) == 2 {
            shorter = shorter[..<before]
        }
        return shorter
    }

    static func subtagCount(_ tag: String) -> Int {
        tag.utf8.count { $0 == hyphen } + 1
    }

    /// One subtag, in lower case.
    private struct Subtag: Equatable {
        let bytes: [UInt8]

        var count: Int { bytes.count }
        var isLetters: Bool { bytes.allSatisfy { (0x61...0x7a).contains($0) } }
        var isDigits: Bool { bytes.allSatisfy { (0x30...0x39).contains($0) } }
        var isRegion: Bool { isLetters && count == 2 || isDigits && count == 3 }
        var isVariant: Bool { count >= 5 || count == 4 && bytes.prefix(1).allSatisfy { (0x30...0x39).contains($0) } }
        var isPrivateSingleton: Bool { bytes == [0x78] }
    }

    private static func subtags(_ text: String) -> [Subtag] {
        text.utf8.split(separator: hyphen, omittingEmptySubsequences: false).map { Subtag(bytes: $0.map(lower)) }
    }

    private static let hyphen: UInt8 = 0x2d

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7a).contains(lower(byte))
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
    }
}
