import HTTPServer
import Testing

@testable import API

struct AcceptLanguageTests {
    private func languages(_ fields: String...) -> [String] {
        AcceptLanguage.languages(Headers(fields.map { HeaderField("Accept-Language", $0) }))
    }

    @Test func ordersByWeightAndKeepsTheOrderOfEquals() {
        #expect(languages("da, en-GB;q=0.8, en;q=0.7") == ["da", "en-GB", "en"])
        #expect(languages("en;q=0.5, fr, de;q=0.500 , ja;q=1.000,nl;Q=0.501") == ["fr", "ja", "nl", "en", "de"])
        #expect(languages("de", "fr;q=0.9, it") == ["de", "it", "fr"])
        #expect(AcceptLanguage.languages(Headers()).isEmpty)
    }

    @Test(arguments: [
        "", ",", "*", "*;q=0.5", "de;q=0", "de;q=0.000", "de;q=2", "de;q=1.001", "de;q=0.1234", "de;q=", "de;q=.5",
        "de;level=1", "de;q=0.5;x=1", "d\u{e9}", "de_DE", "-", "de;;q=1",
    ])
    func whatNamesNoLanguageIsNoWish(_ field: String) {
        #expect(languages(field).isEmpty)
        #expect(languages(field + ", en;q=0.1") == ["en"])
    }

    @Test func nobodyReadsSoMany() {
        let many = (0..<2_000).map { "x-\($0);q=0.5" }.joined(separator: ",")
        let read = languages(many + ",de;q=0.4,fr")
        #expect(read.count == 32 && read.first == "fr" && read.dropFirst().first == "x-0" && read.last == "x-30")
    }
}
