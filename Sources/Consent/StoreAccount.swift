/// The id under which a store knows somebody who uses the app.
///
/// It is all that leads from a store's message to a person: Apple's `appTransactionId`, one per account and app, or Google's
/// `installId`, one per account and device. Always text, never a number, and compared as bytes.
package struct StoreAccount: Sendable, Hashable, Comparable {
    package let store: StoreName
    /// Production always, for a store that has no other.
    package let environment: OriginalVersion.Environment
    /// 1 to 128 bytes without control characters.
    package let id: CallerID

    package init(store: StoreName, environment: OriginalVersion.Environment, id: CallerID) {
        self.store = store
        self.environment = environment
        self.id = id
    }

    package static func < (left: StoreAccount, right: StoreAccount) -> Bool {
        if left.store != right.store { return left.store.rawValue < right.store.rawValue }
        if left.environment != right.environment { return left.environment.rawValue < right.environment.rawValue }
        return left.id < right.id
    }
}
