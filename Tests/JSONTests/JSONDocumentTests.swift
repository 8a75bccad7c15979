import JSON
import Testing

/// What the reader takes and refuses before any field is looked at.
struct JSONDocumentTests {
    private func reason(_ bytes: [UInt8], maximumDepth: Int = 32) -> JSONSyntaxError.Reason? {
        do throws(JSONSyntaxError) {
            _ = try JSONDocument.parse(bytes, maximumDepth: maximumDepth)
            return nil
        } catch {
            return error.reason
        }
    }

    private func reason(_ text: String) -> JSONSyntaxError.Reason? {
        reason(Array(text.utf8))
    }

    @Test(arguments: [
        "{}", "[]", " {\"a\" : 1}\r\n", "\"text\"", "0", "-0", "-1.5E+10", "true", "false", "null", "\t[1,\n2 ]",
        #"{"":1}"#, #"{"a":{"a":{"a":1}}}"#, #""\ud83d\ude00""#, #""\/\b\f\n\r\t\"\\""#, "9223372036854775807",
        "-9223372036854775808", "1e308", "1e-400", "\"\u{7F}\u{2028}\"",
    ])
    func takes(text: String) {
        #expect(reason(text) == nil)
    }

    @Test(arguments: ["", " ", "\r\n\t ", "\n"])
    func anEmptyBodyIsItsOwnError(text: String) {
        #expect(reason(text) == .empty)
    }

    @Test(arguments: [
        #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"[{"b":{"é":1,"\u00e9":1}}]"#, #"{"":1,"":2}"#,
    ])
    func refusesDuplicateKeys(text: String) {
        #expect(reason(text) == .duplicateKey)
    }

    @Test func canonicallyEqualKeysAreDifferentKeys() {
        #expect(reason("{\"\u{E9}\":1,\"e\u{301}\":2}") == nil)
    }

    @Test(arguments: [
        #""\u0000""#, #"{"a":"x\u0000y"}"#, #"{"\u0000":1}"#, "\"\0\"", "{}\0", "\0{}", "1\0", "{\"a\":1\0}",
        "[1,2\0]", "\0",
    ])
    func refusesTheZeroCharacterRawOrEscaped(text: String) {
        #expect(reason(text) == .nullCharacter)
    }

    @Test func refusesAByteOrderMark() {
        #expect(reason("\u{FEFF}{}") == .byteOrderMark)
        #expect(reason([0xEF, 0xBB, 0xBF]) == .byteOrderMark)
        #expect(reason([0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00]) != nil, "UTF-16")
        #expect(reason([0x00, 0x7B, 0x00, 0x7D]) != nil, "UTF-16 without a mark")
    }

    @Test(arguments: [
        "{} x", "{}{}", "[] ,", "{}]", "1 2", "nullx", "\"a\"\"b\"", "{} // note", "0x10",
    ])
    func refusesWhatFollowsTheValue(text: String) {
        #expect([.trailingContent, .malformed].contains(reason(text)))
    }

    @Test(arguments: ["1e400", "-1e400", "[9223372036854775808]", "[-9223372036854775809]", "18446744073709551616"])
    func refusesNumbersOutOfRange(text: String) {
        #expect(reason(text) == .numberOutOfRange)
    }

    @Test(arguments: [
        "[1,]", "{\"a\":1,}", "[,1]", "{,}", "NaN", "[NaN]", "Infinity", "[-Infinity]", "01", "[-01]", "+1", ".5",
        "1.", "1e", "'a'", "{a:1}", "{\"a\" 1}", "/* */ {}", "[1 2]", "True", "\"a\nb\"", "\"a\tb\"",
        "\"\u{1}\"", #""\x41""#, #""\u12""#, #""\uD800""#, #""\uDC00""#, #""\uD800\u0041""#, #""\uDC00\uD800""#,
        "\u{A0}{}", "]", "}",
    ])
    func refusesWhatRFC8259DoesNotAllow(text: String) {
        #expect(reason(text) == .malformed)
    }

    @Test(arguments: ["{", "[", "[1", "{\"a\"", "{\"a\":", "\"abc", "[1,", #"{"a":[{"b":"#])
    func refusesABodyThatEndsTooEarly(text: String) {
        #expect([.incomplete, .malformed].contains(reason(text)))
    }

    @Test(
        arguments: [
            [0xFF], [0xC3], [0xC3, 0x28], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF5, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0x80], [0xE2, 0x82],
        ] as [[UInt8]])
    func refusesWhatIsNotUTF8(bytes: [UInt8]) {
        let inString = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
        #expect(reason(inString) == .invalidUTF8)
        #expect(reason(Array("{\"".utf8) + bytes + Array("\":1}".utf8)) == .invalidUTF8)
        #expect(reason(bytes) != nil)
    }

    @Test func nestingIsLimited() {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(reason(nested(32)) == nil)
        #expect(reason(nested(33)) == .tooDeep(maximum: 32))
        #expect(reason(nested(3), maximumDepth: 2) == .tooDeep(maximum: 2))
        let objects = String(repeating: "{\"a\":", count: 33) + "1" + String(repeating: "}", count: 33)
        #expect(reason(objects) == .tooDeep(maximum: 32))
        #expect(reason([UInt8](repeating: UInt8(ascii: "["), count: 100_000)) == .tooDeep(maximum: 32))
        #expect(reason([UInt8](repeating: UInt8(ascii: "{"), count: 100_000)) == .tooDeep(maximum: 32))
    }

    @Test func bracketsSideBySideOrInStringsAreNotDeep() {
        #expect(reason("[" + String(repeating: "[],", count: 1_000) + "[]]") == nil)
        #expect(reason("[\"" + String(repeating: "[{", count: 1_000) + "\"]") == nil)
        #expect(reason("[\"\\\"" + String(repeating: "[", count: 1_000) + "\\\\\"]") == nil)
    }

    @Test func aStringThatOnlySeemsToEndDoesNotHideDepth() {
        // The quote after two backslashes ends the string, so the brackets after it count.
        #expect(reason("[\"\\\\\"," + String(repeating: "[", count: 40)) == .tooDeep(maximum: 32))
    }

    @Test func errorsNeverRepeatTheBody() {
        let bodies = [
            #"{"secret":"child",}"#, #"{"secret" "child"}"#, #"["child", secret]"#, #"{"secret":1,"secret":2}"#,
        ]
        for body in bodies {
            let error = #expect(throws: JSONSyntaxError.self) { try JSONDocument.parse(Array(body.utf8)) }
            #expect(error?.detail.contains("secret") == false)
            #expect(error?.detail.contains("child") == false)
        }
    }

    @Test func theErrorSaysWhere() {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONDocument.parse(Array(#"{"a":1,"a":2}"#.utf8)) }
        #expect(error?.detail == "An object names the same member twice, near byte 10.")
    }

    @Test func randomBytesNeverCrash() {
        var generator = SystemRandomNumberGenerator()
        let pieces: [[UInt8]] =
            ["{", "}", "[", "]", ",", ":", "\"", "\\", "a", "1", "-", ".", "e", "\\u", "true", "null", " "]
            .map { Array($0.utf8) } + [[0], [0xFF], [0xC3], [0xA9]]
        for _ in 0..<20_000 {
            let body = (0..<Int.random(in: 0..<12, using: &generator)).flatMap { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &generator)]
            }
            _ = reason(body)
        }
    }
}
