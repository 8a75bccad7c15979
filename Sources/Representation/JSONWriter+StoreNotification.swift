package import Consent
package import JSON

extension JSONWriter {
    /// A store's notice, without what was sent.
    package mutating func storeNotification(_ notification: StoreNotification, person: CallerID?) {
        beginObject()
        members(of: notification, person: person)
        endObject()
    }

    /// A store's notice with what was sent, byte for byte; `null` where it was erased.
    package mutating func storeNotification(_ notification: StoreNotification, person: CallerID?, payload: [UInt8]?) {
        beginObject()
        members(of: notification, person: person)
        key("payload")
        string(payload.map { String(decoding: $0, as: UTF8.self) })
        endObject()
    }

    /// What the store is told of a notification that was taken: nothing of whom it concerns.
    package mutating func receipt(of status: StoreNotification.Status) {
        beginObject()
        key("status")
        string(status == .quarantined ? "quarantined" : "accepted")
        endObject()
    }

    private mutating func members(of notification: StoreNotification, person: CallerID?) {
        key("id")
        identifier(notification.id)
        key("store")
        string(notification.store.rawValue)
        key("notificationUUID")
        string(notification.uuid)
        key("type")
        string(notification.type)
        key("subtype")
        string(notification.subtype)
        key("environment")
        string(notification.environment?.rawValue)
        key("signedDate")
        moment(notification.signedDate)
        key("receivedAt")
        moment(notification.receivedAt)
        key("status")
        string(notification.status.rawValue)
        key("reason")
        string(notification.quarantine?.reason)
        key("mismatch")
        if let quarantine = notification.quarantine, let field = quarantine.field {
            beginObject()
            key("field")
            string(field)
            key("expected")
            string(quarantine.expected)
            key("seen")
            string(quarantine.seen)
            endObject()
        } else {
            null()
        }
        key("person")
        callerID(person)
    }
}
