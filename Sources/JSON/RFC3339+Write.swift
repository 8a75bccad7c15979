extension RFC3339 {
    /// Bytes of a written timestamp, `2026-12-05T00:00:00.000Z`.
    package static let length = 24

    /// Writes a moment in UTC with exactly milliseconds; microseconds are cut off towards the past.
    ///
    /// A moment outside the years 0001 to 9999 is written as the nearest one inside.
    package static func write(_ microseconds: Int64) -> String {
        String(unsafeUninitializedCapacity: length) { buffer in
            guard let start = buffer.baseAddress else { return 0 }
            write(microseconds, to: start)
            return length
        }
    }

    /// Writes exactly `length` bytes at `target`.
    static func write(_ microseconds: Int64, to target: UnsafeMutablePointer<UInt8>) {
        // Counting from the earliest moment keeps every division one of positive numbers.
        let sinceEarliest = UInt64(bitPattern: min(max(microseconds, earliest), latest) &- earliest)
        let milliseconds = Int(sinceEarliest / 1_000)
        let days = milliseconds / 86_400_000
        let ofDay = milliseconds - days * 86_400_000
        let date = CivilDate(daysSinceEpoch: days - 719_162)  // 719,162 days from 1 January 0001 to 1970

        ASCIIDigits.writeTwo(date.year / 100, to: target)
        ASCIIDigits.writeTwo(date.year % 100, to: target + 2)
        target[4] = UInt8(ascii: "-")
        ASCIIDigits.writeTwo(date.month, to: target + 5)
        target[7] = UInt8(ascii: "-")
        ASCIIDigits.writeTwo(date.day, to: target + 8)
        target[10] = UInt8(ascii: "T")
        ASCIIDigits.writeTwo(ofDay / 3_600_000, to: target + 11)
        target[13] = UInt8(ascii: ":")
        ASCIIDigits.writeTwo(ofDay / 60_000 % 60, to: target + 14)
        target[16] = UInt8(ascii: ":")
        ASCIIDigits.writeTwo(ofDay / 1_000 % 60, to: target + 17)
        target[19] = UInt8(ascii: ".")
        target[20] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: ofDay % 1_000 / 100)
        ASCIIDigits.writeTwo(ofDay % 100, to: target + 21)
        target[23] = UInt8(ascii: "Z")
    }
}
