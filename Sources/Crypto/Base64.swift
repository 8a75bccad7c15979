/// Base64 with the common alphabet and with padding (RFC 4648 §4), as certificates stand in a token's header.
package enum Base64 {
    /// The bytes for a text, or `nil`: padding that is missing or too long, blanks, characters of the other alphabet and
    /// bits left over that are not zero are all refused.
    package static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { text in
            guard text.count % 4 == 0 else { return nil }
            let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
            return SixBits.standard.decode(UnsafeBufferPointer(rebasing: text.dropLast(padding)))
        }
    }
}
