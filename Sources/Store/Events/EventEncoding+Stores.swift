import Consent
import JSON

/// What the stores told, as events keep it.
extension EventEncoding {
    /// Without the account it is about, which would have to be erased with its person.
    static func notification(_ notification: StoreNotification) -> [UInt8]? {
        object { json in
            optional("id", notification.id.text, &json)
            optional("store", notification.store.rawValue, &json)
            optional("uuid", notification.uuid, &json)
            optional("type", notification.type, &json)
            optional("subtype", notification.subtype, &json)
            optional("environment", notification.environment?.rawValue, &json)
            if let signedDate = notification.signedDate {
                json.key("signedDate")
                json.integer(signedDate.microseconds)
            }
            json.key("receivedAt")
            json.integer(notification.receivedAt.microseconds)
            optional("status", notification.status.rawValue, &json)
            if let quarantine = notification.quarantine {
                json.key("quarantine")
                json.beginObject()
                optional("reason", quarantine.reason, &json)
                optional("field", quarantine.field, &json)
                optional("expected", quarantine.expected, &json)
                optional("seen", quarantine.seen, &json)
                json.endObject()
            }
            if notification.isRescission {
                json.key("rescinds")
                json.bool(true)
            }
        }
    }

    /// Whose account of which store, but not which.
    static func account(_ registration: AccountRegistration) -> [UInt8]? {
        object { json in
            optional("store", registration.account.store.rawValue, &json)
            optional("environment", registration.account.environment.rawValue, &json)
            json.key("signed")
            json.bool(registration.signedAt != nil)
        }
    }
}
