import AppStore
import Consent
import Crypto
import JSON

extension StoreNotice {
    /// What the App Store signed, in the domain's words; `token` is kept as it came.
    init(_ record: NotificationRecord, _ judgement: Judgement, _ token: String) {
        self.init(
            store: .appStore, uuid: record.notificationUUID.flatMap { $0.utf8.count <= 64 ? $0 : nil },
            identity: Array(record.identity.utf8), type: record.type?.within(128), subtype: record.subtype?.within(128),
            environment: record.environment.flatMap(AppStoreEnvironment.init(rawValue:)).map(
                OriginalVersion.Environment.init),
            signedDate: Instant(microseconds: record.signedDate), judgement: judgement, payload: Array(token.utf8))
    }

    /// A notification that fits the app: one type takes consent back, the others are kept and change nothing.
    init(_ notification: AppStoreNotification, _ token: String) {
        let judgement: Judgement
        if notification.type == AppStoreNotification.rescindConsent, let transaction = notification.rescinded {
            // The verifier lets no other id through.
            if let account = StoreAccount(transaction.appTransactionID, notification.environment) {
                judgement = .rescission(of: account)
            } else {
                judgement = .quarantine(
                    Quarantine(
                        reason: Objection.Reason.fieldInvalid.rawValue,
                        field: "/appData/signedAppTransactionInfo/appTransactionId"))
            }
        } else {
            judgement = .information(
                about: MentionedTransaction.id(in: notification.record.payload)
                    .flatMap { StoreAccount($0, notification.environment) })
        }
        self.init(notification.record, judgement, token)
    }
}

extension StoreAccount {
    /// The App Store's id of an account; nil for what can be none.
    init?(_ appTransactionID: String, _ environment: AppStoreEnvironment) {
        guard let id = CallerID(appTransactionID) else { return nil }
        self.init(store: .appStore, environment: OriginalVersion.Environment(environment), id: id)
    }
}

extension Quarantine {
    init(_ objection: Objection) {
        let reason =
            objection.inner.map { "\(objection.reason.rawValue):\($0.reason.rawValue)" } ?? objection.reason.rawValue
        self.init(
            reason: reason, field: objection.field?.within(128), expected: objection.expected?.within(128),
            seen: objection.seen?.within(128))
    }
}

/// Whose purchase a notification tells of: read so that it can be erased with the person, and for nothing else.
///
/// What stands inside was signed with the notification around it, so its own signature is not asked for.
enum MentionedTransaction {
    /// The `appTransactionId` of the transaction or else of the renewal inside a verified payload.
    static func id(in payload: [UInt8]) -> String? {
        let tokens: [String?]? = read(payload) { body in
            body.object("data", .optional) { data in
                data.ignoreOthers()
                return [
                    data.string("signedTransactionInfo", .optional), data.string("signedRenewalInfo", .optional),
                ]
            }
        }
        for case let token? in tokens ?? [] {
            let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard parts.count == 3, let inside = Base64URL.decode(String(decoding: parts[1], as: UTF8.self)),
                let id = read(inside, { $0.string("appTransactionId", .optional) })
            else { continue }
            return id
        }
        return nil
    }

    private static func read<Value>(_ bytes: [UInt8], _ member: (ObjectReader) -> Value?) -> Value? {
        guard let document = try? JSONDocument.parse(bytes) else { return nil }
        return try? document.readObject { body in
            body.ignoreOthers()
            return member(body)
        }
    }
}

extension String {
    /// The text, or as much of its beginning as so many bytes hold.
    fileprivate func within(_ bytes: Int) -> String {
        if utf8.count <= bytes { return self }
        var end = utf8.index(startIndex, offsetBy: bytes)
        while String.Index(end, within: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
