/// A store's id with the person whose it is: one person per app and environment, who may have several.
package struct RegisteredAccount: Sendable, Hashable {
    package let account: StoreAccount
    package let personRef: Identifier
    package let registeredAt: Instant
    /// The latest moment at which the store signed something that the id was read from; a sign that the household is there.
    package var signedAt: Instant?
    /// As the store names it; at most 64 bytes.
    package var platform: String?
    /// What Google Play last said, as it came: at most 64 bytes each.
    package var signalsStatus: String?
    package var changeStatus: String?

    package init(
        account: StoreAccount, personRef: Identifier, registeredAt: Instant, signedAt: Instant? = nil,
        platform: String? = nil, signalsStatus: String? = nil, changeStatus: String? = nil
    ) {
        self.account = account
        self.personRef = personRef
        self.registeredAt = registeredAt
        self.signedAt = signedAt
        self.platform = platform
        self.signalsStatus = signalsStatus
        self.changeStatus = changeStatus
    }
}
