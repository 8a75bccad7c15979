/// One alphabet of base64: which character stands for which six bits.
struct SixBits: Sendable {
    static let standard = SixBits("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    static let urlSafe = SixBits("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    /// The character for each value.
    let characters: [UInt8]
    /// The value of each byte, 0xFF for those outside the alphabet.
    private let values: [UInt8]

    private init(_ alphabet: String) {
        characters = Array(alphabet.utf8)
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in characters.enumerated() { values[Int(character)] = UInt8(value) }
        self.values = values
    }

    /// The bytes that text without padding stands for; `nil` for a character outside the alphabet, an impossible length, or
    /// bits left over that are not zero, so that no value has two texts.
    func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let length = text.count
        guard length % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length * 3 / 4)
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
}
