import JSON
import Testing

struct RFC3339Tests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01T00:00:00.000001Z", 1),
            ("1969-12-31T23:59:59.999999Z", -1),
            ("2026-12-05T00:00:00Z", 1_796_428_800_000_000),
            ("2026-12-05T01:30:00+01:30", 1_796_428_800_000_000),
            ("2026-12-04T23:00:00-01:00", 1_796_428_800_000_000),
            ("2026-12-05T23:59:00+23:59", 1_796_428_800_000_000),
            ("2026-12-05T00:00:00-00:00", 1_796_428_800_000_000),
            ("2026-12-05t00:00:00z", 1_796_428_800_000_000),
            ("2026-12-05T00:00:00.5Z", 1_796_428_800_500_000),
            ("2026-12-05T00:00:00.1234567899999999999999999Z", 1_796_428_800_123_456),
            ("2024-02-29T12:00:00Z", 1_709_208_000_000_000),
            ("2000-02-29T00:00:00Z", 951_782_400_000_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
            ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
        ] as [(String, Int64)])
    func takes(text: String, expected: Int64) {
        #expect(RFC3339.parse(text) == expected)
        #expect(RFC3339.parse(Array(text.utf8)) == expected)
    }

    @Test(arguments: [
        "2026-02-30T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
        "2026-00-10T00:00:00Z", "2026-13-10T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z",
        "2026-12-05T24:00:00Z", "2026-12-05T23:60:00Z", "2026-12-05T23:59:60Z", "2016-12-31T23:59:60Z",
        "2026-12-05T00:00:00+25:00", "2026-12-05T00:00:00+24:00", "2026-12-05T00:00:00+01:60",
        "2026-12-05T00:00:00+0100", "2026-12-05T00:00:00+01", "2026-12-05T00:00:00+1:00", "2026-12-05T00:00:00",
        "2026-12-05T00:00:00.Z", "2026-12-05T00:00:00,5Z", "2026-12-05T00:00:00.5", "2026-12-05T00:00:00.5.5Z",
        "2026-12-05 00:00:00Z", "2026-12-05T00:00Z", "2026-12-05", "20261205T000000Z", "2026-12-5T00:00:00Z",
        " 2026-12-05T00:00:00Z", "2026-12-05T00:00:00Z ", "2026-12-05T00:00:00Z\n", "2026-12-05T00:00:00ZZ",
        "+2026-12-05T00:00:00Z", "12026-12-05T00:00:00Z", "-001-12-05T00:00:00Z", "2026-W49-6T00:00:00Z",
        "２026-12-05T00:00:00Z", "2026-12-05T00:00:00.５Z", "2026-12-05T00:00:00\u{2212}01:00", "", "Z", "now",
        "0000-12-31T23:59:59Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "2026-12-05T0a:00:00Z",
        "2026-12-05T00:00:00Z\0",
    ])
    func refuses(text: String) {
        #expect(RFC3339.parse(text) == nil)
    }

    @Test func everyPrefixIsRefused() {
        let text = Array("2026-12-05T00:00:00.123456+01:00".utf8)
        for length in 0..<text.count {
            #expect(RFC3339.parse(Array(text[..<length])) == nil)
        }
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (999, "1970-01-01T00:00:00.000Z"),
            (1_796_428_800_123_999, "2026-12-05T00:00:00.123Z"),
            (RFC3339.earliest, "0001-01-01T00:00:00.000Z"),
            (RFC3339.latest, "9999-12-31T23:59:59.999Z"),
            (.min, "0001-01-01T00:00:00.000Z"),
            (.max, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func writes(moment: Int64, expected: String) {
        #expect(RFC3339.write(moment) == expected)
    }

    /// Walks all 3,652,059 days of the years 1 to 9999 with a calendar that only ever adds one day.
    @Test func agreesWithACalendarThatCounts() {
        func isLeap(_ year: Int) -> Bool { year % 400 == 0 || (year % 4 == 0 && year % 100 != 0) }
        func two(_ value: Int) -> [UInt8] { [UInt8(48 + value / 10), UInt8(48 + value % 10)] }
        var moment = RFC3339.earliest
        var days = 0
        var wrong = 0
        for year in 1...9_999 {
            let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            for (month, length) in lengths.enumerated() {
                let head = two(year / 100) + two(year % 100) + [45] + two(month + 1) + [45]
                let tail = Array("T00:00:00.000Z".utf8)
                for day in 1...length {
                    // Parsing every day and writing one in seven keeps the walk short in debug builds.
                    let text = head + two(day) + tail
                    if RFC3339.parse(text) != moment { wrong += 1 }
                    if days % 7 == 0, Array(RFC3339.write(moment).utf8) != text { wrong += 1 }
                    moment += 86_400_000_000
                    days += 1
                }
                let next = head + two(length + 1) + tail
                if RFC3339.parse(next) != nil { wrong += 1 }
            }
        }
        #expect(wrong == 0)
        #expect(days == 3_652_059)
        #expect(moment == RFC3339.latest + 1)
    }

    @Test func readsWhatItWrites() {
        for _ in 0..<20_000 {
            let moment = Int64.random(in: RFC3339.earliest...RFC3339.latest)
            let back = RFC3339.parse(RFC3339.write(moment))
            let lost = ((moment % 1_000) + 1_000) % 1_000
            #expect(back == moment - lost)
        }
    }

    @Test func offsetsShiftTheMoment() {
        for _ in 0..<2_000 {
            let moment = Int64.random(in: 0...4_000_000_000) * 1_000_000
            let offset = Int.random(in: -1_439...1_439)
            let local = RFC3339.write(moment + Int64(offset) * 60_000_000).dropLast()
            let size = abs(offset)
            let hours = size / 60 < 10 ? "0\(size / 60)" : "\(size / 60)"
            let minutes = size % 60 < 10 ? "0\(size % 60)" : "\(size % 60)"
            #expect(RFC3339.parse("\(local)\(offset < 0 ? "-" : "+")\(hours):\(minutes)") == moment)
        }
    }
}
