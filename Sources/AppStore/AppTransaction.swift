/// An app transaction that the store signed: the link between a notification and a person.
package struct AppTransaction: Sendable, Hashable {
    /// Unique per store account and app; opaque text of 1 to 128 bytes of visible ASCII, never a number.
    package let appTransactionID: String
    /// From `receiptType`, which is what the environment is called here.
    package let environment: AppStoreEnvironment
    package let bundleID: String
    /// In digits; absent in the sandbox.
    package let appAppleID: String?
    /// When the store made it, in microseconds since the Unix epoch.
    package let receiptCreationDate: Int64
    /// The version the person first got; always `1.0` in the sandbox. At most 64 bytes.
    package let originalApplicationVersion: String?
    /// Such as `iOS` or `macOS`, raw; at most 64 bytes. Says whether the version is a marketing version or a build.
    package let originalPlatform: String?
    /// The payload's bytes, as they were signed.
    package let payload: [UInt8]

    package init(
        appTransactionID: String, environment: AppStoreEnvironment, bundleID: String, appAppleID: String?,
        receiptCreationDate: Int64, originalApplicationVersion: String?, originalPlatform: String?, payload: [UInt8]
    ) {
        self.appTransactionID = appTransactionID
        self.environment = environment
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.receiptCreationDate = receiptCreationDate
        self.originalApplicationVersion = originalApplicationVersion
        self.originalPlatform = originalPlatform
        self.payload = payload
    }
}
