/// Which changes a person never has to be asked about, because the app had them when they first got it.
package struct Exemption: Sendable {
    private let original: (kind: OriginalVersion.Kind, number: VersionNumber)?

    /// An original version that cannot be read exempts from nothing, and neither does one from the sandbox, where the
    /// vendor always says 1.0, unless the policy wants it.
    package init(_ original: OriginalVersion?, policy: Policy) {
        guard let original, original.environment == .production || policy.sandboxExempts,
            let number = VersionNumber(original.value)
        else {
            self.original = nil
            return
        }
        self.original = (original.kind, number)
    }

    /// Whether the change was introduced at or before the original version; only a version tells of a version, and only a
    /// build of a build.
    package func covers(_ change: ChangeInEffect) -> Bool {
        guard let original, let introduced = change.introduced(original.kind) else { return false }
        return introduced <= original.number
    }
}
