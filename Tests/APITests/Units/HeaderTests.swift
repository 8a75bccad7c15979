import Consent
import HTTPServer
import Store
import Testing

@testable import API

/// Headers that are read by rules of their own.
struct HeaderTests {
    private func bytes(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

    // MARK: Idempotency-Key

    @Test(arguments: [
        ("abc", "abc"), ("\"abc\"", "abc"), (#""a\"b\\c""#, #"a"b\c"#), (#"a"b"#, #"a"b"#), ("!~", "!~"),
        ("8e03978e-40d5-43dd-bc93-6894a57f9324", "8e03978e-40d5-43dd-bc93-6894a57f9324"),
    ])
    func goodKeys(_ field: String, _ key: String) {
        #expect(IdempotencyHeader.text(bytes(field)) == key)
    }

    @Test(arguments: [
        "", "\"\"", "\"", "\"abc", "a b", "\"a b\"", #""a\b""#, #""abc";x=1"#, "é", "\"a\"b", #""a\"#,
        String(repeating: "k", count: 256),
    ])
    func badKeys(_ field: String) {
        #expect(IdempotencyHeader.text(bytes(field)) == nil)
    }

    @Test func longestKey() {
        let key = String(repeating: "k", count: 255)
        #expect(IdempotencyHeader.text(bytes(key)) == key)
        #expect(IdempotencyHeader.text(bytes("\"\(key)\"")) == key)
    }

    @Test func aFingerprintIsOfMethodPathAndBody() throws {
        func fingerprint(_ method: Method, _ target: String, _ body: String) throws -> [UInt8]? {
            let head = RequestHead(
                method: method, target: target, headers: Headers([HeaderField("Idempotency-Key", "k")]))
            let caller = Caller(key: Identifier(high: 1, low: 1), role: .service, app: AppID("reader"))
            return try IdempotencyHeader.key(of: Request(head: head, body: Array(body.utf8)), caller: caller)?
                .fingerprint
        }
        let one = try fingerprint(.post, "/a", "{}")
        #expect(try one == fingerprint(.post, "/a?app=x", "{}"))
        #expect(try one != fingerprint(.put, "/a", "{}"))
        #expect(try one != fingerprint(.post, "/b", "{}"))
        #expect(try one != fingerprint(.post, "/a", "{ }"))
        #expect(one?.count == 32)
    }

    // MARK: Entity tags

    @Test func tagLists() throws {
        #expect(EntityTagList(bytes("*")) == .any)
        #expect(EntityTagList(bytes(" * ")) == .any)
        let list = try #require(EntityTagList(bytes(#""1-pending" , W/"2-approved""#)))
        #expect(list.contains("\"1-pending\"") && list.contains("\"2-approved\"") && !list.contains("\"3\""))
        #expect(EntityTagList(bytes(#""a,b""#))?.contains("\"a,b\"") == true)
    }

    @Test(arguments: ["", "1", "\"1", "1\"", "*, \"1\"", "\"1\" \"2\"", "w/\"1\"", "\"1\",", "\"a b\"", ","])
    func badTagLists(_ field: String) {
        #expect(EntityTagList(bytes(field)) == nil)
    }

    @Test func preconditions() throws {
        func precondition(_ fields: (String, String)...) throws -> Precondition {
            try Conditions.precondition(Headers(fields.map { HeaderField($0.0, $0.1) }))
        }
        #expect(try precondition() == .none)
        #expect(try precondition(("If-Match", "*")) == .exists)
        #expect(try precondition(("If-None-Match", "*")) == .absent)
        #expect(try precondition(("If-Match", #""3", W/"4", "x", "05", "6""#)) == .revisions([3, 6]))
        #expect(try precondition(("If-Match", "*"), ("If-None-Match", "*")) == .revisions([]))
        for bad in [[("If-Match", "3")], [("If-None-Match", "\"3\"")], [("If-Match", "*"), ("If-None-Match", "x")]] {
            #expect(throws: Problem.self) {
                try Conditions.precondition(Headers(bad.map { HeaderField($0.0, $0.1) }))
            }
        }
    }

    // MARK: Content-Type

    @Test(arguments: [
        "application/json", "application/json; charset=utf-8", "application/json;charset=UTF-8",
        "Application/JSON ; charset=\"utf-8\"", "application/json;", "application/json; profile=x; charset=utf-8",
    ])
    func json(_ field: String) {
        #expect(MediaType.json.fits(bytes(field)))
    }

    @Test(arguments: [
        "", "text/json", "application/jsonx", "application/json charset=utf-8", "application/json; charset=latin1",
        "application/json; charset=", "application/json; charset", "application/problem+json",
        "application/json, text/plain",
    ])
    func notJSON(_ field: String) {
        #expect(!MediaType.json.fits(bytes(field)))
    }
}
