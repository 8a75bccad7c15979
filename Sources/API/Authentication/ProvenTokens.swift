import Crypto

/// Tokens whose signature was verified, by the hash of their text: verifying one takes as long as answering a request. A value.
///
/// Only good ones are held, so nobody can fill it who has no key.
struct ProvenTokens: Sendable {
    /// How many are held.
    static let capacity = 8_192

    private var claims: [Digest: TokenClaims] = [:]

    subscript(digest: Digest) -> TokenClaims? { claims[digest] }

    /// - Parameter seconds: the time, to let those go that have expired.
    mutating func put(_ token: TokenClaims, for digest: Digest, at seconds: Int64) {
        if claims.count >= Self.capacity { claims = claims.filter { $0.value.grant.expiresAt > seconds } }
        if claims.count >= Self.capacity { claims.removeAll(keepingCapacity: true) }
        claims[digest] = token
    }

    var count: Int { claims.count }
}
