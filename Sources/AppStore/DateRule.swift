/// At which moment the certificates of a token must be valid.
package enum DateRule: String, Sendable, CaseIterable {
    /// When the token was signed, by its own word: the store's history stays verifiable after a certificate expired.
    case signing
    /// When it is judged.
    case now
}
