/// Base64 with the common alphabet and with padding (RFC 4648 §4), as keys are given and certificates stand in a token's header.
package enum Base64 {
    /// The text for `bytes`.
    package static func encode(_ bytes: [UInt8]) -> String {
        let alphabet = SixBits.standard.characters
        return String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { target in
            var written = 0
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let group = bytes[start..<min(start + 3, bytes.count)]
                let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
                for place in 0..<4 {
                    let value = Int(bits >> UInt32(18 - 6 * place) & 0x3F)
                    target[written] = place <= group.count ? alphabet[value] : UInt8(ascii: "=")
                    written += 1
                }
            }
            return written
        }
    }

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
