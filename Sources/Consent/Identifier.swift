/// A 128-bit id that this service made: a version 7 UUID (RFC 9562) for what it creates, random for a person's ref.
///
/// Two big-endian halves, so that order as a value is order as bytes and as PostgreSQL's `uuid`.
package struct Identifier: Sendable, Hashable, Comparable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A version 7 UUID whose order is the order of (`createdAt`, `random`): the 48-bit millisecond is followed by the
    /// microsecond within it (12-bit field, RFC 9562 §6.2 method 3), so sorting by id is sorting by creation time.
    /// Of the random bits 62 fit. Moments outside 1970 to 10889 take the nearest millisecond that does.
    package init(createdAt: Instant, random: UInt64) {
        let moment = max(0, createdAt.microseconds)
        let milliseconds = min(UInt64(moment / 1000), 0xffff_ffff_ffff)
        let fraction = UInt64(moment % 1000)
        self.high = (milliseconds << 16) | 0x7000 | fraction
        self.low = 0x8000_0000_0000_0000 | (random & 0x3fff_ffff_ffff_ffff)
    }

    /// The smallest id a question created at or after the moment can have; for ranges over ids.
    package init(lowestAt moment: Instant) {
        self.init(createdAt: moment, random: 0)
    }

    package static func < (left: Identifier, right: Identifier) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }

    /// Reads the canonical form, 36 characters with lower- or upper-case hex; anything else is nil.
    package init?(_ text: String) {
        var high: UInt64 = 0
        var low: UInt64 = 0
        var digits = 0
        var position = 0
        for byte in text.utf8 {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == 0x2d else { return nil }
            } else {
                let digit: UInt8
                switch byte {
                case 0x30...0x39: digit = byte - 0x30
                case 0x61...0x66: digit = byte - 0x57
                case 0x41...0x46: digit = byte - 0x37
                default: return nil
                }
                if digits < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
                digits += 1
            }
            position += 1
        }
        guard position == 36, digits == 32 else { return nil }
        self.init(high: high, low: low)
    }

    /// The canonical lower-case form, 36 characters.
    package var text: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var position = 0
            for half in [high, low] {
                for shift in stride(from: 60, through: 0, by: -4) {
                    if position == 8 || position == 13 || position == 18 || position == 23 {
                        buffer[position] = 0x2d
                        position += 1
                    }
                    let digit = UInt8(truncatingIfNeeded: half >> UInt64(shift)) & 0xf
                    buffer[position] = digit < 10 ? 0x30 + digit : 0x57 + digit
                    position += 1
                }
            }
            return 36
        }
    }
}
