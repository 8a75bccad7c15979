/// What one app is to the store: whom a notification must be about to be usable.
package struct AppStoreRegistration: Sendable, Hashable {
    /// The bundle id, such as `com.example.reader`; compared as bytes.
    package let bundleID: String
    /// The App Store id in digits; needed for production only, because the sandbox does not send it.
    package let appAppleID: String?
    /// The environments it is registered for; one app may have both.
    package let environments: Set<AppStoreEnvironment>

    package init(bundleID: String, appAppleID: String?, environments: Set<AppStoreEnvironment>) {
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.environments = environments
    }
}
