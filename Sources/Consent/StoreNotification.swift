/// A store's notice as it was kept.
package struct StoreNotification: Sendable, Hashable {
    /// What came of it; the names are the API's and the database's.
    package enum Status: String, Sendable, Hashable, CaseIterable {
        /// A rescission that is in force, or was until a return.
        case applied
        /// It says nothing about consent.
        case recorded
        /// A rescission of somebody whose account nobody has registered; applied the moment somebody does.
        case unattributed
        /// It cannot be used as things are.
        case quarantined
        /// A rescission that froze nobody: a return or an approval after it was known already.
        case outdated
    }

    package let id: Identifier
    package let store: StoreName
    package let uuid: String?
    package var type: String?
    package var subtype: String?
    package var environment: OriginalVersion.Environment?
    package var signedDate: Instant?
    /// When it first came, on the database's clock.
    package let receivedAt: Instant
    package var status: Status
    /// Where it is in quarantine.
    package var quarantine: Quarantine?
    /// Whether it takes consent back.
    package var isRescission: Bool
    /// Whose it is by the store's id, where it says so and that was not erased.
    package var account: StoreAccount?
    /// Whom it concerns, where that is known.
    package var personRef: Identifier?

    package init(
        id: Identifier, store: StoreName, uuid: String?, type: String?, subtype: String?,
        environment: OriginalVersion.Environment?, signedDate: Instant?, receivedAt: Instant, status: Status,
        quarantine: Quarantine? = nil, isRescission: Bool, account: StoreAccount? = nil,
        personRef: Identifier? = nil
    ) {
        self.id = id
        self.store = store
        self.uuid = uuid
        self.type = type
        self.subtype = subtype
        self.environment = environment
        self.signedDate = signedDate
        self.receivedAt = receivedAt
        self.status = status
        self.quarantine = quarantine
        self.isRescission = isRescission
        self.account = account
        self.personRef = personRef
    }

    /// From when on it counts: the earlier of when the store says that it happened and when it first came.
    package var effectiveAt: Instant { min(signedDate ?? receivedAt, receivedAt) }
}
