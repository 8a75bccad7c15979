/// Base64 with the URL-safe alphabet and without padding (RFC 4648 §5), one text for each sequence of bytes.
package enum Base64URL {
    /// The text for `bytes`.
    package static func encode(_ bytes: [UInt8]) -> String {
        let length = (bytes.count * 4 + 2) / 3
        let alphabet = SixBits.urlSafe.characters
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
        text.withUnsafeBufferPointer { SixBits.urlSafe.decode($0) }
    }

    /// The bytes of part of a longer text, as above.
    package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        text.withUnsafeBufferPointer { SixBits.urlSafe.decode($0) }
    }

    /// The bytes of a text, as above.
    package static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { SixBits.urlSafe.decode($0) }
    }
}
