/// Timestamps as RFC 3339 text, exchanged as microseconds since the Unix epoch.
///
/// The years 0001 to 9999, in UTC, are what both the text and PostgreSQL's `timestamptz` can hold.
package enum RFC3339 {
    /// 0001-01-01T00:00:00.000000Z.
    package static let earliest: Int64 = -62_135_596_800_000_000
    /// 9999-12-31T23:59:59.999999Z.
    package static let latest: Int64 = 253_402_300_799_999_999

    /// Reads one `date-time` of RFC 3339, or `nil` for anything else.
    ///
    /// Taken: any offset from -23:59 to +23:59, `T` and `Z` in lower case too, as the RFC has it, and any number of
    /// fraction digits from one up, of which those past the sixth are cut off. Refused: a day or an hour that does
    /// not exist, 24:00, second 60 (no leap second is known in advance), a blank for `T`, a missing offset, an empty
    /// fraction, anything before or after, and moments that are outside the years 0001 to 9999 once in UTC.
    package static func parse(_ utf8: UnsafeBufferPointer<UInt8>) -> Int64? {
        var scanner = TimestampScanner(utf8)
        guard
            let year = scanner.digits(4), scanner.skip(UInt8(ascii: "-")),
            let month = scanner.digits(2), scanner.skip(UInt8(ascii: "-")),
            let day = scanner.digits(2), scanner.skip(UInt8(ascii: "T"), or: UInt8(ascii: "t")),
            let hour = scanner.digits(2), hour <= 23, scanner.skip(UInt8(ascii: ":")),
            let minute = scanner.digits(2), minute <= 59, scanner.skip(UInt8(ascii: ":")),
            let second = scanner.digits(2), second <= 59,
            let fraction = scanner.microseconds(),
            let offset = scanner.offsetMinutes(),
            scanner.isAtEnd
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard year >= 1, date.isValid else { return nil }
        let minutes = (date.daysSinceEpoch * 24 + hour) * 60 + minute - offset
        let moment = Int64(minutes * 60 + second) * 1_000_000 + Int64(fraction)
        return (earliest...latest).contains(moment) ? moment : nil
    }

    /// Reads a timestamp from the bytes of `text`.
    package static func parse(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8 { parse($0) }
    }

    /// Reads a timestamp from `bytes`.
    package static func parse(_ bytes: [UInt8]) -> Int64? {
        bytes.withUnsafeBufferPointer { parse($0) }
    }
}
