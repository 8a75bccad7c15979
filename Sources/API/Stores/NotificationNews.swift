package import Consent

/// What the App Store's notifications come to; the executable makes log lines and metrics of it.
package enum NotificationNews: Sendable, Hashable {
    /// Kept, as what it came to: also a repeat.
    case kept(StoreNotification.Status, reason: String?)
    /// It can never verify. `isLimited`: its source was told that it has sent too many of these.
    case refused(reason: String, isLimited: Bool)
    /// Nothing was done, and the store is asked to send it again.
    case postponed
}
