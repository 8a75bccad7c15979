/// A registered application, the tenant, as stored.
package struct App: Sendable, Hashable {
    package let id: AppID
    package var settings: AppSettings
    package var revision: Int
    package let createdAt: Instant
    package var updatedAt: Instant

    package init(id: AppID, settings: AppSettings, revision: Int, createdAt: Instant, updatedAt: Instant) {
        self.id = id
        self.settings = settings
        self.revision = revision
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
