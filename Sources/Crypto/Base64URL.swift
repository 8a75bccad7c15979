/// Base64 with the URL-safe alphabet and without padding (RFC 4648 §5), one text for each sequence of bytes.
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The six bits of each ASCII character, 0xFF for those outside the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// The text for `bytes`.
    package static func encode(_ bytes: [UInt8]) -> String {
        let length = (bytes.count * 4 + 2) / 3
        return String(unsafeUninitializedCapacity: length) { target in
            var written = 0
            func put(_ bits: UInt32) {
                target[written] = alphabet[Int(bits & 0x3F)]
                written += 1
            }
            var index = 0
            while index + 3 <= bytes.count {
                let group = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
                put(group >> 18)
                put(group >> 12)
                put(group >> 6)
                put(group)
                index += 3
            }
            switch bytes.count - index {
            case 1:
                let group = UInt32(bytes[index]) << 16
                put(group >> 18)
                put(group >> 12)
            case 2:
                let group = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8
                put(group >> 18)
                put(group >> 12)
                put(group >> 6)
            default: break
            }
            return written
        }
    }

    /// The bytes that `encode` makes exactly this text from, or `nil`.
    ///
    /// Padding, blanks, characters of the other alphabet, an impossible length and bits left over that are not zero are
    /// all refused, so that no value has two texts.
    package static func decode(_ text: [UInt8]) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var bits: UInt32 = 0
        var available = 0
        for character in text {
            let value = values[Int(character)]
            guard value != 0xFF else { return nil }
            bits = bits << 6 | UInt32(value)
            available += 6
            if available >= 8 {
                available -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(available)))
                bits &= (1 << UInt32(available)) - 1
            }
        }
        return bits == 0 ? bytes : nil
    }

    /// The bytes of a text, as above.
    package static func decode(_ text: String) -> [UInt8]? {
        decode(Array(text.utf8))
    }
}
