/// Takes the parts of an RFC 3339 timestamp off the front of its bytes; each step is `nil` or `false` where the next
/// bytes are something else.
struct TimestampScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    /// Exactly `count` ASCII digits.
    mutating func digits(_ count: Int) -> Int? {
        guard bytes.count - position >= count else { return nil }
        var value = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    mutating func skip(_ byte: UInt8, or other: UInt8? = nil) -> Bool {
        guard position < bytes.count, bytes[position] == byte || bytes[position] == other else { return false }
        position += 1
        return true
    }

    /// The fraction of a second, 0 without one; a point must be followed by a digit.
    mutating func microseconds() -> Int? {
        guard skip(UInt8(ascii: ".")) else { return 0 }
        guard var value = digit() else { return nil }
        var scale = 1
        while let digit = digit() {
            if scale < 6 {
                value = value * 10 + digit
                scale += 1
            }
        }
        while scale < 6 {
            value *= 10
            scale += 1
        }
        return value
    }

    /// The offset from UTC; `-00:00` is UTC too.
    mutating func offsetMinutes() -> Int? {
        if skip(UInt8(ascii: "Z"), or: UInt8(ascii: "z")) { return 0 }
        let sign: Int
        if skip(UInt8(ascii: "+")) {
            sign = 1
        } else if skip(UInt8(ascii: "-")) {
            sign = -1
        } else {
            return nil
        }
        guard
            let hours = digits(2), hours <= 23, skip(UInt8(ascii: ":")),
            let minutes = digits(2), minutes <= 59
        else { return nil }
        return sign * (hours * 60 + minutes)
    }

    private mutating func digit() -> Int? {
        guard position < bytes.count else { return nil }
        let value = bytes[position] &- UInt8(ascii: "0")
        guard value <= 9 else { return nil }
        position += 1
        return Int(value)
    }
}
