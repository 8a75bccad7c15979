import Testing

@testable import HTTPServer

@Suite struct HeadersTests {
    private let headers = Headers([
        HeaderField("Host", "h"), HeaderField("X-A", "1"), HeaderField("x-a", "2"), HeaderField("Empty", ""),
    ])

    @Test func namesAreCaseInsensitive() {
        #expect(headers["host"] == "h")
        #expect(headers["HOST"] == "h")
        #expect(headers["hos"] == nil)
        #expect(headers["X-A"] == "1")
        #expect(headers.all("X-a") == ["1", "2"])
        #expect(headers.occurrences(of: "x-A") == 2)
        #expect(headers["empty"] == "")
        #expect(headers.bytes(of: "host").map(Array.init) == [0x68])
        #expect(headers.count == 4)
    }

    @Test func onlyLettersAreFolded() {
        // `@` and the backquote differ by the same bit as letters of two cases.
        #expect(Headers([HeaderField("x@", "1")])["x`"] == nil)
        #expect(Headers([HeaderField("x-\u{212A}", "1")])["x-k"] == nil)
    }

    @Test func responseHeadersAreJudgedByBytes() {
        #expect(HeaderField("X-A", "plain text, \u{E9}").fault == nil)
        #expect(HeaderField("X-A", "tab\there").fault == nil)
        for value in ["a\r\nSet-Cookie: b", "a\nb", "a\rb", "a\0b", "a\u{7F}"] {
            #expect(HeaderField("X-A", value).fault != nil)
        }
        for name in ["", "X A", "X:", "X\r\n", "\u{E9}"] { #expect(HeaderField(name, "v").fault != nil) }
    }

    @Test func idsAreTakenOnlyIfWellFormed() {
        func accepted(_ text: String) -> String? { RequestIdentifier.accepted(Array(text.utf8)[...]) }
        #expect(accepted("abc-1.2_3:4") == "abc-1.2_3:4")
        #expect(accepted("") == nil)
        #expect(accepted(String(repeating: "a", count: 65)) == nil)
        #expect(accepted("a b") == nil)
        #expect(accepted("a\u{E9}") == nil)
        #expect(accepted("a\"b") == nil)
    }

    @Test func idsMadeHereDiffer() {
        let ids = Set((0..<10_000).map { RequestIdentifier.text(RequestIdentifier.scattered($0)) })
        #expect(ids.count == 10_000)
        #expect(ids.allSatisfy { $0.utf8.count == 13 && RequestIdentifier.accepted(Array($0.utf8)[...]) != nil })
    }
}
