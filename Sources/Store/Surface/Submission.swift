package import Consent

/// A command on its way to the database.
package final class Submission: Sendable {
    package let app: AppID
    package let command: Command
    package let idempotency: IdempotencyKey?
    /// How long the caller waits; nil: the store's own limit.
    package let patience: Duration?

    package init(
        app: AppID, command: Command, idempotency: IdempotencyKey? = nil, patience: Duration? = nil
    ) {
        self.app = app
        self.command = command
        self.idempotency = idempotency
        self.patience = patience
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
