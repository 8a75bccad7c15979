package import Consent

/// A command on its way to the database.
package struct Submission: Sendable {
    package let app: AppID
    package let command: Command
    package let idempotency: IdempotencyKey?
    /// When the caller stops waiting, on the monotonic clock; nil: the store's own limit.
    package let deadline: ContinuousClock.Instant?

    package init(
        app: AppID, command: Command, idempotency: IdempotencyKey? = nil, deadline: ContinuousClock.Instant? = nil
    ) {
        self.app = app
        self.command = command
        self.idempotency = idempotency
        self.deadline = deadline
    }
}

/// An `Idempotency-Key` with what it is bound to.
package struct IdempotencyKey: Sendable, Hashable {
    /// The role, or the token's subject: a rotated key keeps it.
    package let scope: String
    /// 1 to 255 visible ASCII characters, without the quotes it may have come in.
    package let key: String
    /// SHA-256 over method, path and body: 32 bytes.
    package let fingerprint: [UInt8]

    package init(scope: String, key: String, fingerprint: [UInt8]) {
        self.scope = scope
        self.key = key
        self.fingerprint = fingerprint
    }
}
