/// Something a store sent that is genuine, with what was found out about it.
package struct StoreNotice: Sendable, Hashable {
    /// What is to come of it.
    package enum Judgement: Sendable, Hashable {
        /// It says nothing about consent. `about`: whose it is, where it says so, so that it can be erased with them.
        case information(about: StoreAccount?)
        /// Consent for whoever has that account was taken back.
        case rescission(of: StoreAccount)
        /// It cannot be used as things are; kept, so that it can be judged again.
        case quarantine(Quarantine)
    }

    package let store: StoreName
    /// The store's own name for it (`notificationUUID`), 1 to 64 bytes; nil where it has none.
    package let uuid: String?
    /// What makes two notices the same one within the app and store: its uuid, its payload's hash, or what else tells it
    /// from all others; any bytes.
    package let identity: [UInt8]
    /// As they came, known or not; at most 128 bytes each.
    package let type: String?
    package let subtype: String?
    package let environment: OriginalVersion.Environment?
    /// When the store says that it happened.
    package let signedDate: Instant?
    package let judgement: Judgement
    /// What was sent, byte for byte; its bytes are UTF-8 without U+0000.
    package let payload: [UInt8]

    package init(
        store: StoreName, uuid: String?, identity: [UInt8], type: String?, subtype: String?,
        environment: OriginalVersion.Environment?, signedDate: Instant?, judgement: Judgement, payload: [UInt8]
    ) {
        self.store = store
        self.uuid = uuid
        self.identity = identity
        self.type = type
        self.subtype = subtype
        self.environment = environment
        self.signedDate = signedDate
        self.judgement = judgement
        self.payload = payload
    }

    /// The account it is about, where it says so and can be believed.
    package var account: StoreAccount? {
        switch judgement {
        case .information(let about): about
        case .rescission(let account): account
        case .quarantine: nil
        }
    }

    package var quarantine: Quarantine? {
        if case .quarantine(let why) = judgement { why } else { nil }
    }
}

/// Why something genuine cannot be used here, for the admin who has to put it right.
package struct Quarantine: Sendable, Hashable {
    /// A stable name of the reason, such as `bundleIdMismatch`; 1 to 64 bytes.
    package let reason: String
    /// The field at fault, by its name in what the store sent; at most 128 bytes, as the two below.
    package let field: String?
    /// What would have been right.
    package let expected: String?
    package let seen: String?

    package init(reason: String, field: String? = nil, expected: String? = nil, seen: String? = nil) {
        self.reason = reason
        self.field = field
        self.expected = expected
        self.seen = seen
    }
}
