/// A key's public side; its secret is stored as a SHA-256 only.
package struct APIKey: Sendable, Hashable {
    package let id: Identifier
    /// Nil exactly for admins.
    package let app: AppID?
    package let role: Role
    /// 0 to 200 bytes, for people.
    package let label: String
    /// Nil: the operator's for all keys. A key keeps its own as long as it lives.
    package let rateLimit: RateLimit?
    package let createdAt: Instant
    package var revokedAt: Instant?

    package init(
        id: Identifier, app: AppID?, role: Role, label: String, rateLimit: RateLimit? = nil, createdAt: Instant,
        revokedAt: Instant?
    ) {
        self.id = id
        self.app = app
        self.role = role
        self.label = label
        self.rateLimit = rateLimit
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }
}
