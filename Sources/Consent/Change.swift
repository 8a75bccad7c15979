/// What a caller registers of a significant change; replaced as a whole.
package struct ChangeSettings: Sendable, Hashable {
    /// Marketing version that introduced it, 1 to 64 bytes; this or `build` or both.
    package var version: String?
    /// Build number that introduced it, 1 to 64 bytes.
    package var build: String?
    /// Features covered, sorted, without repeats; nil means the whole app.
    package var features: [String]?
    /// Texts by BCP 47 language tag, sorted by tag, at least one; each at most 1,000 bytes.
    package var descriptions: [LocalizedText]

    package init(version: String?, build: String?, features: [String]?, descriptions: [LocalizedText]) {
        self.version = version
        self.build = build
        self.features = features
        self.descriptions = descriptions
    }
}

/// A text with its language.
package struct LocalizedText: Sendable, Hashable {
    package let language: String
    package let text: String

    package init(language: String, text: String) {
        self.language = language
        self.text = text
    }
}

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
