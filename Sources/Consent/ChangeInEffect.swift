/// What a decision about access needs of a change that is in effect; its versions are read once, for all persons.
package struct ChangeInEffect: Sendable, Hashable {
    package let id: CallerID
    /// Features covered, without repeats; nil means the whole app.
    package let features: [String]?
    private let version: VersionNumber?
    private let build: VersionNumber?

    /// - Parameters:
    ///   - version: the marketing version that introduced it; one that cannot be read exempts nobody.
    ///   - build: the build number that introduced it, likewise.
    package init(id: CallerID, features: [String]?, version: String?, build: String?) {
        self.id = id
        self.features = features
        self.version = version.flatMap { VersionNumber($0) }
        self.build = build.flatMap { VersionNumber($0) }
    }

    /// A change that is not registered, under an id that means nothing.
    package init(unregistered settings: ChangeSettings) {
        self.init(
            id: CallerID(trusted: "-"), features: settings.features, version: settings.version, build: settings.build)
    }

    package init(_ change: Change) {
        let settings = change.settings
        self.init(id: change.id, features: settings.features, version: settings.version, build: settings.build)
    }

    /// The version or build that introduced it, whichever is of this kind; nil where it names none that can be read.
    func introduced(_ kind: OriginalVersion.Kind) -> VersionNumber? {
        switch kind {
        case .version: version
        case .build: build
        }
    }
}
