/// Bytes as pairs of lower-case hexadecimal digits.
package enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// The text for `bytes`, twice as long.
    package static func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { target in
            for (index, byte) in bytes.enumerated() {
                target[index * 2] = digits[Int(byte >> 4)]
                target[index * 2 + 1] = digits[Int(byte & 0x0F)]
            }
            return bytes.count * 2
        }
    }
}
