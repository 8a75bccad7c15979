/// Writes numbers as ASCII into memory that the caller has made room in.
enum ASCIIDigits {
    /// Two digits; `value` from 0 to 99.
    @inline(__always)
    static func writeTwo(_ value: Int, to target: UnsafeMutablePointer<UInt8>) {
        let tens = UInt8(truncatingIfNeeded: value / 10)
        target[0] = UInt8(ascii: "0") &+ tens
        target[1] = UInt8(ascii: "0") &+ (UInt8(truncatingIfNeeded: value) &- tens &* 10)
    }

    /// A decimal integer of at most 20 bytes; returns how many were written.
    static func write(_ value: Int64, to target: UnsafeMutablePointer<UInt8>) -> Int {
        var rest = value.magnitude
        var length = value < 0 ? 1 : 0
        var probe = rest
        repeat {
            length += 1
            probe /= 10
        } while probe > 0
        if value < 0 { target[0] = UInt8(ascii: "-") }
        var position = length
        repeat {
            position -= 1
            target[position] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        return length
    }

    /// The eight lower-case hexadecimal digits of `value`, most significant first, as eight bytes in memory order.
    @inline(__always)
    static func hexadecimal(_ value: UInt32) -> UInt64 {
        var digits = UInt64(value.byteSwapped)
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits >> 4 & 0x000F_000F_000F_000F) | (digits & 0x000F_000F_000F_000F) << 8
        let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return (digits &+ 0x3030_3030_3030_3030 &+ letters &* 0x27).littleEndian
    }
}
