/// What is wrong with a leaf, an intermediate certificate and the way from them to a trusted root.
package enum ChainFault: Error, Sendable, Hashable {
    /// The intermediate certificate is not the leaf's issuer.
    case leafIssuer
    /// No trusted root is the intermediate certificate's issuer.
    case noRoot
    case leafSignature
    case intermediateSignature
    /// A key or a hash below 112 bits of security, or a curve that is spelled out instead of named.
    case tooWeak
    /// Anything else that RFC 5280 forbids, in OpenSSL's words.
    case other(String)
}
