/// What an event in the log tells; names are the API's and the database's, and are never reused.
package enum EventType: String, Sendable, Hashable, CaseIterable {
    case appUpdated = "app.updated"
    case keyCreated = "key.created"
    case keyRevoked = "key.revoked"
    case changeRegistered = "change.registered"
    case changeUpdated = "change.updated"
    case changeWithdrawn = "change.withdrawn"
    case personUpdated = "person.updated"
    case personRescinded = "person.rescinded"
    case personReinstated = "person.reinstated"
    case personErased = "person.erased"
    case guardianLinked = "guardian.linked"
    case guardianUnlinked = "guardian.unlinked"
    case questionCreated = "question.created"
    /// An answer was recorded that left the state as it was.
    case questionAnswered = "question.answered"
    case questionPending = "question.pending"
    /// Its expiration is near; told once.
    case questionExpiring = "question.expiring"
    case questionApproved = "question.approved"
    case questionDenied = "question.denied"
    case questionRevoked = "question.revoked"
    case questionExpired = "question.expired"
    case questionCancelled = "question.cancelled"
    case questionSuperseded = "question.superseded"
    case acknowledgmentCreated = "acknowledgment.created"
    case ageRatingBaselineSet = "ageRating.baselineSet"
    case ageRatingChanged = "ageRating.changed"
    /// A store's id came to be known as a person's.
    case accountRegistered = "account.registered"
    /// A store's notice that could be used, when that was so: a rescission, once it is known whom it concerns.
    case notificationReceived = "notification.received"
    /// A store's notice that cannot be used as things are.
    case notificationQuarantined = "notification.quarantined"
    /// A rescission of somebody whose account nobody has registered.
    case notificationUnattributed = "notification.unattributed"
    case webhookEndpointDisabled = "webhookEndpoint.disabled"
}

extension EventType {
    /// Whether it tells of a decision, whose event keeps what it was made on.
    package var isDecision: Bool {
        switch self {
        case .questionPending, .questionApproved, .questionDenied, .questionRevoked, .questionExpired,
            .questionCancelled, .questionSuperseded, .acknowledgmentCreated:
            true
        default: false
        }
    }
}
