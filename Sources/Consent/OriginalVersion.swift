/// The version of the app that the person first got.
package struct OriginalVersion: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable { case version, build }
    package enum Environment: String, Sendable, CaseIterable { case production, sandbox }

    /// 1 to 64 bytes, kept as it came.
    package let value: String
    package let kind: Kind
    package let environment: Environment

    package init(value: String, kind: Kind, environment: Environment) {
        self.value = value
        self.kind = kind
        self.environment = environment
    }
}
