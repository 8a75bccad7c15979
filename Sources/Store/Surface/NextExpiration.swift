package import Consent

/// When the next pending question of an app expires.
package struct NextExpiration: Sendable {
    package let app: AppID
    package let at: Instant

    package init(app: AppID, at: Instant) {
        self.app = app
        self.at = at
    }
}
