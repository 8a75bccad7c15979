package import Consent

/// A key that signs browsers' tokens, as it is stored.
package struct StoredSigningKey: Sendable, Hashable {
    package let id: Identifier
    /// The point on P-256, uncompressed: 65 bytes.
    package let publicPoint: [UInt8]
    /// The private key, sealed.
    package let sealedKey: [UInt8]
    package let createdAt: Instant
    package let signsFrom: Instant

    package init(
        id: Identifier, publicPoint: [UInt8], sealedKey: [UInt8], createdAt: Instant, signsFrom: Instant
    ) {
        self.id = id
        self.publicPoint = publicPoint
        self.sealedKey = sealedKey
        self.createdAt = createdAt
        self.signsFrom = signsFrom
    }
}

/// Every signing key there is, in the order in which they sign, and the database's now.
package struct StoredSigningKeys: Sendable, Hashable {
    package let keys: [StoredSigningKey]
    package let now: Instant

    package init(keys: [StoredSigningKey], now: Instant) {
        self.keys = keys
        self.now = now
    }
}

/// A signing key to store as the one that follows another.
package struct NewSigningKey: Sendable, Hashable {
    package let id: Identifier
    package let publicPoint: [UInt8]
    package let sealedKey: [UInt8]
    /// Nil: it is the first.
    package let follows: Identifier?
    /// How long it is published before it signs.
    package let leadSeconds: Int
    /// Takes away every earlier key with it, and so ends every token.
    package let replacesAll: Bool

    package init(
        id: Identifier, publicPoint: [UInt8], sealedKey: [UInt8], follows: Identifier?, leadSeconds: Int,
        replacesAll: Bool = false
    ) {
        self.id = id
        self.publicPoint = publicPoint
        self.sealedKey = sealedKey
        self.follows = follows
        self.leadSeconds = leadSeconds
        self.replacesAll = replacesAll
    }
}
