import AppStore
import AppStoreTestSupport
import Testing

/// The signed app transaction that a service hands in for a person.
struct AppTransactionTests {
    private func bench(_ change: (inout TestPayload) -> Void = { _ in }) throws -> Bench {
        var bench = try Bench()
        bench.payload = .appTransaction()
        change(&bench.payload)
        return bench
    }

    @Test func genuineOneIsAccepted() throws {
        let transaction = try #require(try bench().appTransaction().accepted)
        #expect(transaction.appTransactionID == "704289572311402534")
        #expect(transaction.environment == .production)
        #expect(transaction.receiptCreationDate == TestChain.moment)
        #expect(transaction.originalApplicationVersion == "1.2")
    }

    @Test func refusalsAreTheSame() throws {
        var unsigned = try bench()
        let stranger = try SigningKey(.curve("P-256"))
        unsigned.edit = { $0.key = stranger }
        #expect(try unsigned.appTransaction().refusal?.reason == .signatureInvalid)
        #expect(try bench { $0["receiptCreationDate"] = nil }.appTransaction().refusal?.reason == .dateMissing)
        #expect(try bench { $0["receiptCreationDate"] = "1.0" }.appTransaction().refusal?.reason == .dateInvalid)
        #expect(try bench { $0["receiptType"] = "\"Xcode\"" }.appTransaction().refusal?.reason == .environmentUnsigned)
        let expired = "\(TestChain.end * 1_000)"
        #expect(
            try bench { $0["receiptCreationDate"] = expired }.appTransaction().refusal?.reason == .certificateExpired)
    }

    @Test func objectionsNameTheField() throws {
        let cases: [(String, String?, Objection.Reason)] = [
            ("bundleId", "\"com.example.other\"", .bundleMismatch), ("bundleId", nil, .fieldMissing),
            ("receiptType", "\"Orbit\"", .environmentMismatch), ("appAppleId", "1", .appMismatch),
            ("appAppleId", nil, .fieldMissing), ("appTransactionId", nil, .fieldMissing),
            ("appTransactionId", "7", .fieldInvalid),
        ]
        for (name, json, reason) in cases {
            let objection = try #require(try bench { $0[name] = json }.appTransaction().objection, "\(name)")
            #expect(objection.reason == reason, "\(name)")
            #expect(objection.field == "/\(name)")
        }
        var ahead = try bench()
        ahead.now = TestChain.moment - AppStoreVerifier.tolerance - 1
        #expect(try ahead.appTransaction().objection?.reason == .dateAhead)
    }
}
