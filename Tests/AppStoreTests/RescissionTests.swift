import AppStore
import AppStoreTestSupport
import Testing

/// The one notification that changes consent: the app transaction inside is verified before anybody is rescinded.
struct RescissionTests {
    private static let path = "/appData/signedAppTransactionInfo"

    /// A rescission that carries what `change` makes of an app transaction.
    private static func rescission(
        environment: String = "Production", _ change: (inout TestPayload) -> Void = { _ in }
    ) throws -> TestPayload {
        var inner = TestPayload.appTransaction(environment: environment)
        change(&inner)
        return .rescission(carrying: try Bench.standard.get().token(inner.json), environment: environment)
    }

    @Test(arguments: ["Production", "Sandbox"])
    func innerTokenIsVerified(_ environment: String) throws {
        var bench = try Bench()
        bench.payload = try Self.rescission(environment: environment)
        let notification = try #require(try bench.judge().accepted)
        let inner = try #require(notification.rescinded)
        #expect(inner.appTransactionID == "704289572311402534")
        #expect(inner.environment.rawValue == environment)
        #expect(inner.bundleID == TestPayload.bundle)
        #expect(inner.appAppleID == "41234")
        #expect(inner.receiptCreationDate == TestChain.moment)
        #expect(inner.originalApplicationVersion == "1.2")
        #expect(inner.originalPlatform == "iOS")
        #expect(
            String(decoding: inner.payload, as: UTF8.self) == TestPayload.appTransaction(environment: environment).json)
    }

    private static func expect(
        _ reason: Objection.Reason, _ field: String, expected: String? = nil, seen: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout TestPayload) -> Void
    ) throws {
        try Bench.expectObjection(
            reason, field, expected: expected, seen: seen, sourceLocation: sourceLocation,
            prepare: { $0.payload = try Self.rescission() },
            { $0.payload = try Self.rescission(change) })
    }

    @Test func innerTokenFits() throws {
        let mismatch = Objection.Reason.innerTokenMismatch
        try Self.expect(mismatch, Self.path + "/receiptType", expected: "Production", seen: "Sandbox") {
            $0["receiptType"] = "\"Sandbox\""
        }
        try Self.expect(mismatch, Self.path + "/bundleId", expected: TestPayload.bundle, seen: "com.example.other") {
            $0["bundleId"] = "\"com.example.other\""
        }
        try Self.expect(mismatch, Self.path + "/appAppleId", expected: "41234", seen: "41235") {
            $0["appAppleId"] = "41235"
        }
        try Self.expect(mismatch, Self.path + "/appAppleId", expected: "41234") { $0["appAppleId"] = nil }
        try Self.expect(mismatch, Self.path + "/appTransactionId") { $0["appTransactionId"] = nil }
        try Self.expect(mismatch, Self.path + "/appTransactionId") { $0["appTransactionId"] = "704289572311402534" }
        try Self.expect(mismatch, Self.path + "/appTransactionId") { $0["appTransactionId"] = "\"\"" }
        try Self.expect(mismatch, Self.path + "/appTransactionId") { $0["appTransactionId"] = "\"a b\"" }
        try Self.expect(mismatch, Self.path + "/originalApplicationVersion") { $0["originalApplicationVersion"] = "1" }
        try Self.expect(mismatch, Self.path + "/originalPlatform") { $0["originalPlatform"] = "{}" }
        try Self.expect(mismatch, Self.path + "/exp") { $0["exp"] = "1" }
        let ahead = TestChain.moment + AppStoreVerifier.tolerance + 1_000
        try Self.expect(mismatch, Self.path + "/receiptCreationDate", seen: "2026-07-01T00:05:00.001Z") {
            $0["receiptCreationDate"] = "\(ahead / 1_000)"
        }
    }

    @Test func versionAndPlatformAreOptional() throws {
        var bench = try Bench()
        bench.payload = try Self.rescission {
            $0["originalApplicationVersion"] = nil
            $0["originalPlatform"] = nil
        }
        let inner = try #require(try bench.judge().accepted?.rescinded)
        #expect(inner.originalApplicationVersion == nil && inner.originalPlatform == nil)
    }

    @Test(arguments: [
        (TokenRefusal.Reason.dateMissing, "receiptCreationDate", String?.none),
        (.dateInvalid, "receiptCreationDate", "\"1\""), (.dateInvalid, "signedDate", "1.5"),
        (.certificateExpired, "receiptCreationDate", "\(TestChain.end * 1_000)"),
        (.certificateNotYetValid, "receiptCreationDate", "0"),
        (.certificateExpired, "signedDate", "\(TestChain.end * 1_000)"),
        (.environmentUnsigned, "receiptType", "\"Xcode\""), (.environmentUnsigned, "receiptType", "\"LocalTesting\""),
        (.wrongKind, "notificationType", "\"TEST\""),
    ])
    func innerTokenVerifies(_ reason: TokenRefusal.Reason, _ name: String, _ json: String?) throws {
        try Self.expect(.innerTokenRefused, Self.path, seen: reason.rawValue) { $0[name] = json }
    }

    @Test func innerTokenIsSigned() throws {
        let impostor = try TestChain()
        let inner = TestPayload.appTransaction().json
        let tokens: [(TokenRefusal.Reason, String)] = [
            (.rootNotTrusted, try impostor.token(inner)), (.tokenMalformed, "a.b"), (.tokenMalformed, "nonsense"),
            (
                .signatureInvalid,
                try TestToken(x5c: try Bench.standard.get().x5c(), payload: inner, key: impostor.leaf.key).text()
            ),
        ]
        for (reason, token) in tokens {
            var bench = try Bench()
            bench.payload = .rescission(carrying: token)
            let objection = try #require(try bench.judge().objection)
            #expect(objection.reason == .innerTokenRefused)
            #expect(objection.inner?.reason == reason)
        }
    }

    @Test func innerTokenIsThere() throws {
        let prepare: (inout Bench) throws -> Void = { $0.payload = try Self.rescission() }
        for (json, reason) in [(String?.none, Objection.Reason.fieldMissing), ("{}", .fieldInvalid)] {
            try Bench.expectObjection(reason, Self.path, prepare: prepare) {
                $0.payload["appData"] = TestPayload.appData(carrying: "").with("signedAppTransactionInfo", json).json
            }
        }
        try Bench.expectObjection(.fieldMissing, "/appData", prepare: prepare) {
            $0.payload["appData"] = nil
            $0.payload["data"] = TestPayload.data.json
        }
    }

    /// Who signs both cannot mix them: a genuine app transaction of one app inside a notification about another.
    @Test func genuineTokensOfTwoAppsDoNotMix() throws {
        var bench = try Bench()
        bench.registrations.append(
            AppStoreRegistration(bundleID: "com.example.other", appAppleID: "99", environments: [.production]))
        bench.payload = try Self.rescission {
            $0["bundleId"] = "\"com.example.other\""
            $0["appAppleId"] = "99"
        }
        #expect(try bench.judge().objection?.reason == .innerTokenMismatch)
    }
}
