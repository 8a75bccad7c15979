/// A caller's region code, such as `US-TX` (ISO 3166); kept as it came.
package enum Region {
    /// Whether a text is 1 to 16 of `A-Z`, `a-z`, `0-9` and `-`.
    package static func isValid(_ text: String) -> Bool {
        (1...16).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d: true
                default: false
                }
            }
    }
}
