import AppStore
import AppStoreTestSupport
import Testing

/// Genuine payloads that cannot be read, are of another kind or bear no date.
struct PayloadTests {
    @Test func payloadIsStrictJSON() throws {
        let changes: [(String, @Sendable (String) -> String)] = [
            ("a key twice", { "{\"version\":\"1\"," + $0.dropFirst() }),
            ("byte order mark", { "\u{FEFF}" + $0 }),
            ("trailing comma", { $0.dropLast() + ",}" }),
            ("U+0000", { "{\"x\":\"\\u0000\"," + $0.dropFirst() }),
            ("more than 64 bits", { "{\"x\":18446744073709551616," + $0.dropFirst() }),
            (
                "nesting",
                {
                    "{\"x\":" + String(repeating: "[", count: 99) + String(repeating: "]", count: 99) + ","
                        + $0.dropFirst()
                }
            ),
            ("a list", { "[\($0)]" }), ("a text", { _ in "\"TEST\"" }), ("nothing", { _ in "" }),
        ]
        for (name, change) in changes {
            try Bench.expectRefusal(.payloadMalformed, name) { bench in
                bench.edit = { $0.payload = Array(change(String(decoding: $0.payload, as: UTF8.self)).utf8) }
            }
        }
        try Bench.expectRefusal(.payloadMalformed, "not UTF-8") { bench in
            bench.edit = { $0.payload = $0.payload.dropLast() + Array(",\"x\":\"".utf8) + [0xFF] + Array("\"}".utf8) }
        }
    }

    @Test(arguments: [
        (#"{"receiptType":"Production","receiptCreationDate":1}"#, "an app transaction"),
        (#"{"transactionId":"1","originalTransactionId":"1","signedDate":1}"#, "a transaction"),
        (#"{"autoRenewStatus":1,"originalTransactionId":"1","signedDate":1}"#, "renewal info"),
        (#"{"requestIdentifier":"1","signedDate":1}"#, "realtime request"),
        (#"{"signedDate":1}"#, "not known"),
    ])
    func otherKindsAreNamed(_ payload: String, _ name: String) throws {
        var bench = try Bench()
        bench.edit = { $0.payload = Array(payload.utf8) }
        let refusal = try #require(try bench.judge().refusal)
        #expect(refusal.reason == .wrongKind)
        #expect(refusal.detail.contains(name), "\(refusal.detail)")
    }

    @Test func notificationIsNoAppTransaction() throws {
        let refusal = try #require(try Bench().appTransaction().refusal)
        #expect(refusal.reason == .wrongKind)
        #expect(refusal.detail.contains("The token is a notification"))
    }

    @Test func dateIsNeeded() throws {
        try Bench.expectRefusal(.dateMissing, "none") { $0.payload["signedDate"] = nil }
        try Bench.expectRefusal(.dateMissing, "null") { $0.payload["signedDate"] = "null" }
    }

    @Test(arguments: [
        "\"1782864000000\"", "1782864000000.0", "1.782864e12", "true", "[]", "-1", "253402300800000",
        "9223372036854775807", "-9223372036854775808",
    ])
    func dateIsAWholeNumberOfMilliseconds(_ date: String) throws {
        try Bench.expectRefusal(.dateInvalid, date) { $0.payload["signedDate"] = date }
    }

    @Test func membersNobodyKnowsAreKept() throws {
        var bench = try Bench()
        bench.payload["announcedIn2030"] = "{\"deep\":[1,2.5,null]}"
        let record = try #require(try bench.judge().accepted?.record)
        #expect(String(decoding: record.payload, as: UTF8.self) == bench.payload.json)
    }

    @Test(arguments: ["exp", "nbf", "iat", "aud", "sub", "jti"])
    func restrictionsAreNotUnderstood(_ name: String) throws {
        try Bench.expectObjection(.fieldInvalid, "/\(name)") { $0.payload[name] = "1" }
    }
}
