/// A notification that the store signed, about a registered app in a registered environment.
package struct AppStoreNotification: Sendable, Hashable {
    /// The one type that changes consent.
    package static let rescindConsent = "RESCIND_CONSENT"
    /// The type that the store sends on request, to try the way.
    package static let test = "TEST"

    /// Everything that is kept of it.
    package let record: NotificationRecord
    /// The type, raw; not empty.
    package let type: String
    package let environment: AppStoreEnvironment
    package let bundleID: String
    /// For `RESCIND_CONSENT`: the app transaction it carries, verified too, about the same app and environment. `nil` for
    /// every other type.
    package let rescinded: AppTransaction?

    package init(
        record: NotificationRecord, type: String, environment: AppStoreEnvironment, bundleID: String,
        rescinded: AppTransaction?
    ) {
        self.record = record
        self.type = type
        self.environment = environment
        self.bundleID = bundleID
        self.rescinded = rescinded
    }
}
