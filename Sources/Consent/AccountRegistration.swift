/// A store's id of a person, as their service tells it.
package struct AccountRegistration: Sendable, Hashable {
    package let account: StoreAccount
    /// When the store signed what the id was read from (`receiptCreationDate`), where that was verified; nil for a plain id.
    package let signedAt: Instant?
    /// The version of the app that the account first got, where it was signed.
    package let original: OriginalVersion?
    /// The device's platform as the store names it, where it was signed; at most 64 bytes.
    package let platform: String?
    /// What Google Play says about the person, where that came with the id.
    package let signals: PlaySignals?

    package init(
        account: StoreAccount, signedAt: Instant? = nil, original: OriginalVersion? = nil, platform: String? = nil,
        signals: PlaySignals? = nil
    ) {
        self.account = account
        self.signedAt = signedAt
        self.original = original
        self.platform = platform
        self.signals = signals
    }
}
