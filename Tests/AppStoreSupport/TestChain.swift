package import AppStore
import Crypto

/// A root, an intermediate authority and a leaf as the store has them, to be changed one thing at a time.
package struct TestChain: Sendable {
    package static let leafMark = "1.2.840.113635.100.6.11.1"
    package static let intermediateMark = "1.2.840.113635.100.6.2.1"
    /// 2025-01-01T00:00:00Z and 2027-01-01T00:00:00Z, in seconds: when the leaf is valid.
    package static let start = 1_735_689_600
    package static let end = 1_798_761_600
    /// A moment inside, 2026-07-01T00:00:00Z, in microseconds.
    package static let moment: Int64 = 1_782_864_000_000_000

    package var root: CertificateRecipe
    package var intermediate: CertificateRecipe
    package var leaf: CertificateRecipe
    /// The third entry of the header; nil for the root itself.
    package var third: [UInt8]?

    /// - Parameters: the keys, as the store has them unless said otherwise.
    package init(
        rootKey: SigningKey.Kind = .curve("P-384"), intermediateKey: SigningKey.Kind = .curve("P-384"),
        leafKey: SigningKey.Kind = .curve("P-256")
    ) throws {
        let (rootKey, intermediateKey, leafKey) = (
            try SigningKey(rootKey), try SigningKey(intermediateKey), try SigningKey(leafKey)
        )
        root = CertificateRecipe(
            subject: "Test Root", issuer: "Test Root", key: rootKey, issuerKey: rootKey,
            notBefore: Self.start - 10 * 365 * 86_400, notAfter: Self.end + 10 * 365 * 86_400, digest: "SHA384",
            basicConstraints: "critical,CA:TRUE", keyUsage: "critical,keyCertSign,cRLSign", marks: [])
        intermediate = CertificateRecipe(
            subject: "Test Intermediate", issuer: "Test Root", key: intermediateKey, issuerKey: rootKey,
            notBefore: Self.start - 365 * 86_400, notAfter: Self.end + 365 * 86_400, digest: "SHA384",
            basicConstraints: "critical,CA:TRUE,pathlen:0", keyUsage: "critical,keyCertSign,cRLSign",
            marks: [Self.intermediateMark])
        leaf = CertificateRecipe(
            subject: "Test Leaf", issuer: "Test Intermediate", key: leafKey, issuerKey: intermediateKey,
            notBefore: Self.start, notAfter: Self.end, digest: "SHA384", basicConstraints: "critical,CA:FALSE",
            keyUsage: "critical,digitalSignature", marks: [Self.leafMark])
    }

    /// A copy with one thing changed.
    package func with(_ change: (inout TestChain) throws -> Void) rethrows -> TestChain {
        var copy = self
        try change(&copy)
        return copy
    }

    /// What the operator would trust.
    package func roots() throws -> TrustedRoots {
        guard let roots = try TrustedRoots(files: [("root", try root.make())]) else {
            throw SigningKey.Failure(step: "roots")
        }
        return roots
    }

    /// The three certificates as base64, as they stand in `x5c`.
    package func x5c() throws -> [String] {
        [try leaf.make(), try intermediate.make(), try third ?? root.make()].map { TestToken.base64($0) }
    }

    /// A signed token with a payload, by this chain.
    package func token(_ payload: String) throws -> String {
        try TestToken(x5c: try x5c(), payload: payload, key: leaf.key).text()
    }
}
