import JSON
import Testing

struct JSONWriterTests {
    private func write(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter(capacity: 0)
        body(&writer)
        return String(decoding: writer.finish(), as: UTF8.self)
    }

    @Test func putsCommasWhereTheyBelong() {
        let text = write { json in
            json.beginObject()
            json.key("a")
            json.beginArray()
            json.endArray()
            json.key("b")
            json.beginArray()
            json.integer(1)
            json.beginObject()
            json.endObject()
            json.beginObject()
            json.key("c")
            json.null()
            json.endObject()
            json.string("x")
            json.endArray()
            json.key("d")
            json.bool(true)
            json.key("e")
            json.raw(Array(#"{"f":[]}"#.utf8))
            json.key(escaping: "g\"h")
            json.bool(false)
            json.key("i")
            json.string(nil)
            json.key("j")
            json.timestamp(nil)
            json.key("k")
            json.integer(Int?.none)
            json.endObject()
        }
        let expected =
            #"{"a":[],"b":[1,{},{"c":null},"x"],"d":true,"e":{"f":[]},"g\"h":false,"i":null,"j":null,"k":null}"#
        #expect(text == expected)
    }

    @Test(
        arguments: [
            (0, "0"), (7, "7"), (-1, "-1"), (10, "10"), (99, "99"), (100, "100"), (1_234_567_890, "1234567890"),
            (.max, "9223372036854775807"), (.min, "-9223372036854775808"),
        ] as [(Int64, String)])
    func writesIntegers(value: Int64, expected: String) {
        #expect(write { $0.integer(value) } == expected)
    }

    @Test func writesUUIDs() {
        #expect(
            write { $0.uuid(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210) }
                == "\"01234567-89ab-cdef-fedc-ba9876543210\"")
        #expect(write { $0.uuid(high: 0, low: 0) } == "\"00000000-0000-0000-0000-000000000000\"")
        #expect(write { $0.uuid(high: .max, low: .max) } == "\"ffffffff-ffff-ffff-ffff-ffffffffffff\"")
        for _ in 0..<1_000 {
            let high = UInt64.random(in: 0...UInt64.max)
            let low = UInt64.random(in: 0...UInt64.max)
            func padded(_ value: UInt64) -> String {
                let digits = String(value, radix: 16)
                return String(repeating: "0", count: 16 - digits.utf8.count) + digits
            }
            let text = write { $0.uuid(high: high, low: low) }
            #expect(text.filter { $0 != "-" && $0 != "\"" } == padded(high) + padded(low))
        }
    }

    @Test func writesTimestamps() {
        #expect(write { $0.timestamp(Int64(1_796_428_800_000_000)) } == "\"2026-12-05T00:00:00.000Z\"")
    }

    @Test func escapesWhatMustBeAndNothingElse() {
        #expect(write { $0.string("") } == "\"\"")
        #expect(
            write { $0.string("\"\\/\u{8}\u{C}\n\r\t\u{1F}\u{7F}\u{0}") } == #""\"\\/\b\f\n\r\t\u001f"# + "\u{7F}"
                + #"\u0000""#)
        #expect(write { $0.string("a\r\nb") } == #""a\r\nb""#)
        #expect(Array(write { $0.string("é\u{2028}😀e\u{301}") }.utf8) == Array("\"é\u{2028}😀e\u{301}\"".utf8))
    }

    /// Every byte that needs an escape, at every place of the eight-byte steps of the scan, next to its neighbours.
    @Test func findsEscapesEverywhere() {
        for length in 1...20 {
            for place in 0..<length {
                for byte in UInt8(0)..<0x80 {
                    var bytes = [UInt8](repeating: 0x21, count: length)
                    bytes[place] = byte
                    let text = String(decoding: bytes, as: UTF8.self)
                    let escaped = write { $0.string(text) }.utf8.count != length + 2
                    #expect(escaped == (byte < 0x20 || byte == 0x22 || byte == 0x5C))
                }
            }
        }
    }

    @Test func isEmptyAfterFinishing() {
        var writer = JSONWriter()
        writer.beginArray()
        writer.integer(1)
        #expect(writer.count == 2)
        writer.endArray()
        #expect(writer.finish() == Array("[1]".utf8))
        #expect(writer.count == 0)
        writer.integer(2)
        #expect(writer.finish() == Array("2".utf8))
        #expect(writer.finish().isEmpty)
    }

    @Test func growsAsNeeded() throws {
        let long = String(repeating: "\u{1}x", count: 50_000)
        let text = write { json in
            json.beginArray()
            for index in 0..<1_000 { json.integer(index) }
            json.string(long)
            json.endArray()
        }
        let document = try JSONDocument.parse(Array(#"{"a":\#(text)}"#.utf8))
        let count = try document.readObject { body in
            body.array("a", count: 0...2_000) { $0.kind == .string ? $0.string()?.utf8.count : $0.integer() }
        }
        #expect(count == Array(0..<1_000) + [100_000])
    }
}
