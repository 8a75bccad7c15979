/// A registered significant change of an app, as stored.
package struct Change: Sendable, Hashable {
    package let id: CallerID
    package var settings: ChangeSettings
    package var revision: Int
    package let createdAt: Instant
    package var updatedAt: Instant

    package init(id: CallerID, settings: ChangeSettings, revision: Int, createdAt: Instant, updatedAt: Instant) {
        self.id = id
        self.settings = settings
        self.revision = revision
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
