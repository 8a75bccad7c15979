import AppStore
import AppStoreTestSupport
import Testing

/// Certificates are valid when the token was signed, or now, to the second.
struct DateTests {
    private static let second: Int64 = 1_000_000

    @Test func leafIsValidAtTheSigningDate() throws {
        let (start, end) = (Int64(TestChain.start) * Self.second, Int64(TestChain.end) * Self.second)
        for (moment, reason) in [
            (start - 1_000, TokenRefusal.Reason.certificateNotYetValid), (start, nil), (end - 1_000, nil),
            (end, .certificateExpired),
        ] {
            var bench = try Bench()
            bench.payload = .notification(at: moment)
            bench.now = moment
            #expect(try bench.judge().refusal?.reason == reason, "\(moment)")
        }
    }

    @Test func everyCertificateIsAsked() throws {
        let early: [(String, @Sendable (inout TestChain) -> Void)] = [
            ("leaf", { $0.leaf.notBefore = TestChain.end - 1 }),
            ("intermediate", { $0.intermediate.notBefore = TestChain.end - 1 }),
        ]
        for (name, change) in early {
            try Bench.expectRefusal(.certificateNotYetValid, name) { bench in
                bench.chain = bench.chain.with(change)
            }
        }
        let late: [(String, @Sendable (inout TestChain) -> Void)] = [
            ("leaf", { $0.leaf.notAfter = TestChain.start + 1 }),
            ("intermediate", { $0.intermediate.notAfter = TestChain.start + 1 }),
        ]
        for (name, change) in late {
            try Bench.expectRefusal(.certificateExpired, name) { bench in
                bench.chain = bench.chain.with(change)
            }
        }
    }

    @Test func rootIsAskedToo() throws {
        let chain = try Bench.standard.get().with { $0.root.notAfter = TestChain.start + 1 }
        let verifier = AppStoreVerifier(roots: try chain.roots())
        let judgement = verifier.judge(
            notification: try Bench().token(), registrations: [TestPayload.registration], now: TestChain.moment)
        let refusal = try #require(judgement.refusal)
        #expect(refusal.reason == .certificateExpired)
        #expect(refusal.detail.contains("root"))
    }

    /// Kept for years, a notification still verifies; dates against now say no.
    @Test func switchChecksAgainstNow() throws {
        var bench = try Bench()
        bench.now = Int64(TestChain.end) * Self.second
        #expect(try bench.judge().isAccepted)
        bench.dates = .now
        #expect(try bench.judge().refusal?.reason == .certificateExpired)
        bench.now = TestChain.moment
        #expect(try bench.judge().isAccepted)
    }

    /// The chain comes from the cache the second time, and the date is still asked.
    @Test func cachedChainIsCheckedAgainstEachDate() throws {
        let chain = try Bench.standard.get()
        let verifier = AppStoreVerifier(roots: try chain.roots())
        let x5c = try chain.x5c()
        for (moment, reason) in [
            (TestChain.moment, TokenRefusal.Reason?.none), (Int64(TestChain.end) * Self.second, .certificateExpired),
            (Int64(TestChain.start) * Self.second - 1_000, .certificateNotYetValid), (TestChain.moment + 1_000, nil),
        ] {
            let payload = TestPayload.notification(at: moment).json
            let token = try TestToken(x5c: x5c, payload: payload, key: chain.leaf.key).text()
            let judgement = verifier.judge(
                notification: token, registrations: [TestPayload.registration], now: moment)
            #expect(judgement.refusal?.reason == reason)
            #expect(verifier.cachedChains == 1)
        }
    }

    @Test func fiveMinutesAheadAreTolerated() throws {
        var bench = try Bench()
        bench.now = TestChain.moment - AppStoreVerifier.tolerance
        #expect(try bench.judge().isAccepted)
        bench.now -= 1
        let judgement = try bench.judge()
        #expect(judgement.objection?.reason == .dateAhead)
        #expect(judgement.objection?.field == "/signedDate")
        #expect(judgement.objection?.seen == "2026-07-01T00:00:00.000Z")
        #expect(judgement.record?.signedDate == TestChain.moment)
    }
}
