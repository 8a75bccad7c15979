import AppStoreTestSupport
import Testing

@testable import AppStore

/// The cache of verified chains: bounded, the least recently used goes first, and only what verified is in it.
struct VerifiedChainsTests {
    private static func chains(_ count: Int) throws -> [TestChain] {
        let standard = try Bench.standard.get()
        return (0..<count).map { serial in standard.with { $0.leaf.serial = serial + 1 } }
    }

    @Test func oldestUseGoesFirst() throws {
        let chains = try Self.chains(4)
        let verifier = AppStoreVerifier(roots: try chains[0].roots(), cachedChains: 3)
        let tokens = try chains.map { try $0.token(TestPayload.notification().json) }
        func judge(_ index: Int) -> Bool {
            verifier.judge(
                notification: tokens[index], registrations: [TestPayload.registration], now: TestChain.moment
            ).isAccepted
        }
        for index in 0..<3 { #expect(judge(index)) }
        #expect(verifier.cachedChains == 3)
        #expect(judge(0))
        #expect(judge(3))
        #expect(verifier.cachedChains == 3)
        let keys = try tokens.map { try #require(VerifiedChains.key(of: try Token($0).header)) }
        #expect(keys.map { verifier.remembers($0) } == [true, false, true, true])
    }

    @Test func manyChainsStayWithinTheBound() throws {
        let chains = try Self.chains(40)
        let verifier = AppStoreVerifier(roots: try chains[0].roots())
        for chain in chains {
            let token = try chain.token(TestPayload.notification().json)
            #expect(
                verifier.judge(
                    notification: token, registrations: [TestPayload.registration], now: TestChain.moment
                ).isAccepted)
        }
        #expect(verifier.cachedChains == 32)
    }

    @Test func whatDoesNotVerifyIsNotKept() throws {
        let verifier = AppStoreVerifier(roots: try Bench.standard.get().roots())
        let impostor = try TestChain().token(TestPayload.notification().json)
        _ = verifier.judge(notification: impostor, registrations: [], now: 0)
        #expect(verifier.cachedChains == 0)
    }

    /// The hash of the certificates, not of the header: a sender who varies the rest of a genuine header pushes nothing out.
    @Test func onlyTheTwoCertificatesCount() throws {
        let verifier = AppStoreVerifier(roots: try Bench.standard.get().roots())
        let chain = try Bench.standard.get()
        let x5c = try chain.x5c()
        for number in 0..<5 {
            let third = TestToken.base64([UInt8(number)])
            var token = TestToken(
                x5c: [x5c[0], x5c[1], third], payload: TestPayload.notification().json, key: chain.leaf.key)
            token.header = "{\"kid\":\"\(number)\"," + token.header.dropFirst()
            #expect(
                verifier.judge(
                    notification: try token.text(), registrations: [TestPayload.registration], now: TestChain.moment
                ).isAccepted)
        }
        #expect(verifier.cachedChains == 1)
    }

    @Test func manyThreadsMayAsk() async throws {
        let chains = try Self.chains(6)
        let verifier = AppStoreVerifier(roots: try chains[0].roots(), cachedChains: 2)
        let tokens = try chains.map { try $0.token(TestPayload.notification().json) }
        let accepted = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<60 {
                let token = tokens[index % tokens.count]
                group.addTask {
                    verifier.judge(
                        notification: token, registrations: [TestPayload.registration], now: TestChain.moment
                    ).isAccepted
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(accepted == 60)
        #expect(verifier.cachedChains == 2)
    }
}
