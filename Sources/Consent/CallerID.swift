/// An id under the caller's own numbering: a person, a guardian, a change, a product, a contact handle.
///
/// 1 to 128 bytes of UTF-8 without control characters. Compared, hashed and ordered as bytes: Swift's own `==` on
/// strings would take composed and decomposed accents for one id where PostgreSQL holds two.
package struct CallerID: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let text: String

    /// Takes text that was checked already (a row of our own database).
    package init(trusted text: String) {
        self.text = text
    }

    /// Nil unless the text is 1 to 128 bytes and free of control characters (C0, DEL and C1).
    package init?(_ text: String) {
        guard CallerID.isValid(text) else { return nil }
        self.text = text
    }

    package static func isValid(_ text: String) -> Bool {
        OneLine.isValid(text, bytes: 1...128)
    }

    package var description: String { text }

    package static func == (left: CallerID, right: CallerID) -> Bool {
        left.text.hasBytes(of: right.text)
    }

    package static func < (left: CallerID, right: CallerID) -> Bool {
        left.text.precedesInBytes(right.text)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(UInt8(0xff))
    }
}
