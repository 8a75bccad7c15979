/// Where a notification or app transaction comes from, as the store names it.
///
/// `Xcode` and `LocalTesting` are missing on purpose: what claims them is signed by nobody the operator trusts.
package enum AppStoreEnvironment: String, Sendable, CaseIterable {
    case production = "Production"
    case sandbox = "Sandbox"
}
