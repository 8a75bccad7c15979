import JSON

/// The kinds of payload that the store signs with the same certificates, told apart by the members only one of them has.
enum PayloadKind: String, Sendable, CaseIterable {
    case notification = "a notification"
    case appTransaction = "an app transaction"
    case transaction = "a transaction"
    case renewalInfo = "a subscription's renewal info"
    case realtimeRequest = "a realtime request of the retention messaging API"
    case unknown = "of a kind that is not known here"

    init(of payload: ObjectReader) {
        let marks: KeyValuePairs<PayloadKind, [StaticString]> = [
            .notification: [
                "notificationType", "notificationUUID", "data", "appData", "summary", "externalPurchaseToken",
            ],
            .appTransaction: ["receiptType", "receiptCreationDate"],
            .renewalInfo: ["autoRenewStatus", "autoRenewProductId"],
            .transaction: ["transactionId", "originalTransactionId"],
            .realtimeRequest: ["requestIdentifier"],
        ]
        self = marks.first { $0.value.contains { payload.kind($0) != nil } }?.key ?? .unknown
    }

    /// Refuses a payload of another kind.
    func require(_ seen: PayloadKind) throws(TokenRefusal) {
        guard seen != self else { return }
        throw TokenRefusal(.wrongKind, "The token is \(seen.rawValue), where \(rawValue) was expected.")
    }
}
