package import Consent

/// A store's notice with what it takes to show it.
package struct StoreNotificationRecord: Sendable, Hashable {
    package let notification: StoreNotification
    /// Whom it concerns; nil where nobody knows, or once they were erased.
    package let person: CallerID?
    /// What was sent, byte for byte; nil in lists, and once the person was erased.
    package let payload: [UInt8]?

    package init(notification: StoreNotification, person: CallerID?, payload: [UInt8]?) {
        self.notification = notification
        self.person = person
        self.payload = payload
    }
}

/// Which of the stores' notices a list takes; every given member must fit.
package struct StoreNotificationFilter: Sendable, Hashable {
    /// As it came, known or not.
    package var type: String?
    package var status: StoreNotification.Status?
    package var person: CallerID?
    package var environment: OriginalVersion.Environment?

    package init(
        type: String? = nil, status: StoreNotification.Status? = nil, person: CallerID? = nil,
        environment: OriginalVersion.Environment? = nil
    ) {
        self.type = type
        self.status = status
        self.person = person
        self.environment = environment
    }
}
