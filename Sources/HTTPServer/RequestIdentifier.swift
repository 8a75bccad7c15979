/// Request ids: a caller's own if well formed, else 13 characters that cost no allocation and differ within and across runs.
enum RequestIdentifier {
    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// Up to 64 characters of letters, digits and `-._:`; anything else in a log line would be the caller's text, not an id.
    static func accepted(_ bytes: ArraySlice<UInt8>?) -> String? {
        guard let bytes, !bytes.isEmpty, bytes.count <= 64 else { return nil }
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: ":"):
                continue
            default: return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// 64 bits in Crockford's base 32. Fits a String's inline storage.
    static func text(_ bits: UInt64) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 13) { buffer in
            var rest = bits
            for at in stride(from: 12, through: 0, by: -1) {
                buffer[at] = digits[Int(rest & 31)]
                rest >>= 5
            }
            return String(decoding: buffer, as: UTF8.self)
        }
    }

    /// Spreads a counter over all 64 bits (the finaliser of splitmix64), so that neighbouring requests look nothing alike.
    static func scattered(_ counter: UInt64) -> UInt64 {
        var bits = counter
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
