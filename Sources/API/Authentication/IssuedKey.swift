package import Consent
package import Crypto
package import Store

/// A new key on its way to the store, with the text that its holder is shown once.
package struct IssuedKey: Sendable {
    /// What to store; nothing in it lets anybody authenticate.
    package let stored: NewKey
    /// What to send as `Authorization: Bearer …`.
    package let text: String

    /// A key with a fresh random id and secret; `app` is nil exactly for admins.
    ///
    /// - Parameter moment: now, for the id's time part.
    package init(
        app: AppID?, role: Role, label: String, rateLimit: RateLimit? = nil, at moment: Instant
    ) throws(CryptoError) {
        let secret = Base64URL.encode(try SecureRandom.bytes(32))
        let random = try SecureRandom.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let id = Identifier(createdAt: moment, random: random)
        stored = NewKey(
            id: id, role: role, label: label, rateLimit: rateLimit,
            secretHash: try SHA256.hash(utf8: secret).bytes)
        text = KeyText.write(app: app, id: id, secret: secret)
    }
}
