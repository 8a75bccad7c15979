/// The id of a registered application, the tenant: 1 to 64 of `a-z`, `0-9` and `-`.
package struct AppID: Sendable, Hashable, Comparable {
    package let text: String

    /// Takes text that was checked already (a row of our own database).
    package init(trusted text: String) {
        self.text = text
    }

    /// Nil unless the text has the form above.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard (1...64).contains(bytes.count) else { return nil }
        guard bytes.allSatisfy({ (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }) else {
            return nil
        }
        self.text = text
    }

    package static func < (left: AppID, right: AppID) -> Bool {
        left.text.precedesInBytes(right.text)
    }
}
