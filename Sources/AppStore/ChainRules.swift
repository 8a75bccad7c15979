import Crypto

/// What the store promises about its certificates, beyond what holds for any chain.
enum ChainRules {
    /// Marks a certificate that signs for the store; every other certificate under the same root lacks it.
    static let leafMark = "1.2.840.113635.100.6.11.1"
    /// Marks the authority that issues those.
    static let intermediateMark = "1.2.840.113635.100.6.2.1"

    /// Verifies the two certificates of a header up to one of the roots; cheap checks first, signatures last.
    static func verify(_ header: TokenHeader, by anchors: TrustAnchors) throws(TokenRefusal) -> VerifiedChain {
        guard let leaf = Certificate(der: header.leaf), let intermediate = Certificate(der: header.intermediate) else {
            throw TokenRefusal(.certificateMalformed, "A certificate in x5c cannot be read.")
        }
        try check(intermediate: intermediate)
        let key = try check(leaf: leaf)
        let root: Certificate
        do throws(ChainFault) {
            root = try anchors.verify(leaf: leaf, intermediate: intermediate)
        } catch {
            throw TokenRefusal(error)
        }
        return VerifiedChain(
            key: key,
            links: [
                ("leaf", leaf.validity), ("intermediate", intermediate.validity), ("root", root.validity),
            ])
    }

    private static func check(leaf: Certificate) throws(TokenRefusal) -> ES256Key {
        guard leaf.hasExtension(leafMark) else {
            throw TokenRefusal(.leafMarkMissing, "The leaf certificate lacks the extension \(leafMark).")
        }
        guard !leaf.isAuthority else {
            throw TokenRefusal(.leafIsAuthority, "The leaf certificate is an authority's.")
        }
        guard leaf.maySign == true else {
            throw TokenRefusal(.leafKeyUsage, "The leaf certificate's key usage lacks digitalSignature.")
        }
        guard let key = leaf.es256Key else {
            throw TokenRefusal(
                .leafKeyNotP256, "The leaf certificate's key is not on the named curve P-256 (\(leaf.keyDescription)).")
        }
        return key
    }

    private static func check(intermediate: Certificate) throws(TokenRefusal) {
        guard intermediate.hasExtension(intermediateMark) else {
            throw TokenRefusal(
                .intermediateMarkMissing, "The intermediate certificate lacks the extension \(intermediateMark).")
        }
        guard intermediate.isAuthority else {
            throw TokenRefusal(.intermediateNotAuthority, "The intermediate certificate is not an authority's.")
        }
        guard intermediate.mayCertify == true else {
            throw TokenRefusal(.intermediateKeyUsage, "The intermediate certificate's key usage lacks keyCertSign.")
        }
    }
}

extension TokenRefusal {
    fileprivate init(_ fault: ChainFault) {
        self =
            switch fault {
            case .leafIssuer:
                TokenRefusal(.leafNotIssuedByIntermediate, "The intermediate certificate is not the leaf's issuer.")
            case .noRoot:
                TokenRefusal(.rootNotTrusted, "None of the operator's roots issued the intermediate certificate.")
            case .leafSignature:
                TokenRefusal(.leafSignatureInvalid, "The intermediate certificate's key did not sign the leaf.")
            case .intermediateSignature:
                TokenRefusal(.intermediateSignatureInvalid, "The root's key did not sign the intermediate certificate.")
            case .tooWeak:
                TokenRefusal(
                    .chainTooWeak, "A certificate has a key or a signature below 112 bits, or a curve without a name.")
            case .other(let words):
                TokenRefusal(.chainInvalid, "The chain breaks the rules of RFC 5280: \(words).")
            }
    }
}
