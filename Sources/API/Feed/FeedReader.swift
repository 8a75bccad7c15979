import Consent
import Crypto

/// Who reads a stream, as far as the feed must know.
struct FeedReader: Sendable {
    /// The key that opened it, or that made the token which did: the stream ends when that is revoked.
    let key: Identifier
    /// Whose streams are counted together: a key's, or those of one subject's tokens.
    let holder: Identifier
    let isToken: Bool
    /// From when on nothing is told any more; nil: while the key is in force.
    let deadline: ContinuousClock.Instant?
}

extension Caller {
    func reader() throws(CryptoError) -> FeedReader {
        FeedReader(key: key, holder: try streamHolder(), isToken: grant != nil, deadline: deadline)
    }
}
