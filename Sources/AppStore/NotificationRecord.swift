/// What a genuine notification says about itself, as far as it can be read: what is kept of it whatever becomes of it.
///
/// Names and texts are raw: the store adds types and subtypes, and none of them is an error.
package struct NotificationRecord: Sendable, Hashable {
    /// Which member says what the notification is about; each excludes the others.
    package enum Subject: String, Sendable, CaseIterable {
        case data, appData, summary, externalPurchaseToken
    }

    /// Says that two deliveries are the same notification: its UUID or, where there is none, `sha256-` and the hash of the
    /// payload in hexadecimal. At most 128 bytes of visible ASCII.
    package let identity: String
    /// As sent; `nil` where it is missing or unusable, and `identity` is made from the payload.
    package let notificationUUID: String?
    /// Such as `RESCIND_CONSENT`; at most 255 bytes.
    package let type: String?
    /// Such as `INITIAL_BUY`; at most 255 bytes.
    package let subtype: String?
    /// Of the format, such as `2.0`; at most 255 bytes.
    package let version: String?
    /// When the store signed it, in microseconds since the Unix epoch.
    package let signedDate: Int64
    /// `nil` where there is none, or more than one.
    package let subject: Subject?
    /// As sent, known or not; at most 255 bytes.
    package let environment: String?
    /// As sent; at most 255 bytes.
    package let bundleID: String?
    /// The number in digits: ids are texts here.
    package let appAppleID: String?
    /// The payload's bytes, as they were signed.
    package let payload: [UInt8]
    /// SHA-256 of them, 32 bytes: what is left when the payload has to be forgotten.
    package let payloadHash: [UInt8]

    package init(
        identity: String, notificationUUID: String?, type: String?, subtype: String?, version: String?,
        signedDate: Int64, subject: Subject?, environment: String?, bundleID: String?, appAppleID: String?,
        payload: [UInt8], payloadHash: [UInt8]
    ) {
        self.identity = identity
        self.notificationUUID = notificationUUID
        self.type = type
        self.subtype = subtype
        self.version = version
        self.signedDate = signedDate
        self.subject = subject
        self.environment = environment
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.payload = payload
        self.payloadHash = payloadHash
    }
}
