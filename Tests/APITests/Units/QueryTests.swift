import Consent
import HTTPServer
import Store
import Testing

@testable import API

struct QueryTests {
    private func parameters(_ items: (String, String)...) throws(Problem) -> Parameters {
        try Parameters(items.map { QueryItem(name: $0.0, value: $0.1) }, allowing: ["limit", "state", "at", "é"])
    }

    @Test func unknownAndRepeatedNames() throws {
        let unknown = #expect(throws: Problem.self) { try parameters(("limits", "1")) }
        #expect(unknown?.parameter == "limits" && unknown?.type == .invalidParameter)
        let repeated = #expect(throws: Problem.self) { try parameters(("limit", "1"), ("limit", "1")) }
        #expect(repeated?.parameter == "limit")
        #expect(throws: Problem.self) { try parameters(("e\u{301}", "composed is another name")) }
    }

    @Test(arguments: [("1", 1), ("50", 50), ("100", 100), ("101", 100), ("99999999999999999999", 100)])
    func limits(_ text: String, _ limit: Int) throws {
        #expect(try parameters(("limit", text)).limit() == limit)
    }

    @Test(arguments: ["", "0", "-1", "+5", "1.0", "0x10", "1e1", " 1", "٣", "01", "nan"])
    func badLimits(_ text: String) {
        #expect(throws: Problem.self) { try parameters(("limit", text)).limit() }
    }

    @Test func limitByDefault() throws {
        #expect(try parameters().limit() == 50)
    }

    @Test func enumerations() throws {
        #expect(try parameters(("state", "pending")).oneOf("state", QuestionState.self) == .pending)
        #expect(throws: Problem.self) { try parameters(("state", "Pending")).oneOf("state", QuestionState.self) }
        #expect(throws: Problem.self) { try parameters(("state", "")).oneOf("state", QuestionState.self) }
    }

    @Test func moments() throws {
        #expect(try parameters(("at", "2026-12-05T00:00:00Z")).moment("at") != nil)
        #expect(throws: Problem.self) { try parameters(("at", "2026-12-05T00:00:00 02:00")).moment("at") }
        #expect(throws: Problem.self) { try parameters(("at", "2026-12-05")).moment("at") }
    }

    // MARK: Cursors

    private let id = Identifier(high: 0x0193_0000_0000_7001, low: 0x8000_0000_0000_0002)

    @Test func questionCursors() throws {
        let pending = QuestionPosition(expiration: Instant(microseconds: 1_796_428_800_000_000), id: id)
        #expect(Cursor.question(Cursor.write(pending), pending: true) == pending)
        let other = QuestionPosition(expiration: nil, id: id)
        #expect(Cursor.question(Cursor.write(other), pending: false) == other)
        #expect(Cursor.question(Cursor.write(pending), pending: false) == nil)
        #expect(Cursor.question(Cursor.write(other), pending: true) == nil)
    }

    @Test func idCursors() {
        #expect(Cursor.id(Cursor.write("vidéo/1")) == "vidéo/1")
        #expect(Cursor.write("a") == "i61")
    }

    @Test(arguments: [
        "", "p", "c", "x01930000000070018000000000000002", "c0193000000007001800000000000000",
        "c0193000000007001800000000000000G", "c019300000000700180000000000000020", "C01930000000070018000000000000002",
        // An expiration that no timestamp can hold.
        "pffffffffffffffff01930000000070018000000000000002".replacing("ffffffffffffffff", with: "7fffffffffffffff"),
        "p800000000000000001930000000070018000000000000002",
    ])
    func badQuestionCursors(_ text: String) {
        #expect(Cursor.question(text, pending: true) == nil)
        #expect(Cursor.question(text, pending: false) == nil)
    }

    @Test(arguments: ["", "i", "i6", "61", "iff", "i6G", "i" + String(repeating: "61", count: 129)])
    func badIDCursors(_ text: String) {
        #expect(Cursor.id(text) == nil)
    }
}
