import AppStoreTestSupport
import Crypto
import Testing

/// Chains of three certificates; the store's own rules about them are the AppStore room's.
struct TrustAnchorsTests {
    private static let standard = Result { try TestChain() }

    private static func verify(
        _ change: (inout TestChain) throws -> Void = { _ in }
    ) throws -> Result<Certificate, ChainFault> {
        let standard = try standard.get()
        let chain = try standard.with(change)
        let anchors = TrustAnchors([try #require(Certificate(der: try standard.root.make()))])
        let leaf = try #require(Certificate(der: try chain.leaf.make()))
        let intermediate = try #require(Certificate(der: try chain.intermediate.make()))
        do throws(ChainFault) {
            return .success(try anchors.verify(leaf: leaf, intermediate: intermediate))
        } catch {
            return .failure(error)
        }
    }

    private static func fault(_ change: (inout TestChain) throws -> Void) throws -> ChainFault? {
        if case .failure(let fault) = try verify(change) { fault } else { nil }
    }

    @Test func wholeChainVerifiesUpToTheRoot() throws {
        #expect(try Self.verify().get().subject == "CN=Test Root")
    }

    /// Dates are checked when a token is, not here.
    @Test func datesDoNotMatter() throws {
        #expect(
            try Self.verify {
                $0.leaf.notBefore = 0
                $0.leaf.notAfter = 1
            }.get().subject == "CN=Test Root")
    }

    @Test func brokenLinksAreNamed() throws {
        let stranger = try SigningKey(.curve("P-384"))
        #expect(try Self.fault { $0.leaf.issuer = "x" } == .leafIssuer)
        #expect(try Self.fault { $0.intermediate.issuer = "x" } == .noRoot)
        // Names that fit, and the key identifier of another key.
        #expect(try Self.fault { $0.leaf.issuerKey = stranger } == .leafIssuer)
        #expect(try Self.fault { $0.intermediate.issuerKey = stranger } == .noRoot)
        #expect(
            try Self.fault {
                $0.leaf.issuerKey = stranger
                $0.leaf.authorityKey = $0.intermediate.key
            } == .leafSignature)
        #expect(
            try Self.fault {
                $0.intermediate.issuerKey = stranger
                $0.intermediate.authorityKey = $0.root.key
            } == .intermediateSignature)
        #expect(try Self.fault { $0.leaf.digest = "SHA1" } == .tooWeak)
        guard case .other = try Self.fault({ $0.leaf.marksAreCritical = true }) else {
            Issue.record("an unknown critical extension")
            return
        }
    }

    @Test func leafIsNoRoot() throws {
        let chain = try Self.standard.get()
        let root = try #require(Certificate(der: try chain.root.make()))
        let intermediate = try #require(Certificate(der: try chain.intermediate.make()))
        let anchors = TrustAnchors([root])
        #expect(throws: ChainFault.self) { try anchors.verify(leaf: root, intermediate: root) }
        #expect(throws: ChainFault.self) { try anchors.verify(leaf: intermediate, intermediate: root) }
    }
}
