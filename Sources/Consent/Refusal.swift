/// Why a command was refused; a value, never an exception. Nothing was stored.
package enum Refusal: Error, Sendable, Hashable {
    case unknownApp
    case unknownPerson
    case unknownQuestion
    case unknownChange
    case unknownKey
    case unknownNotification
    case unknownWebhookEndpoint
    /// The resource's revision is not one the caller allowed (`If-Match`, `If-None-Match: *`).
    case preconditionFailed
    /// The person is an adult: nobody could answer.
    case notAvailable
    case questionExpired(Question)
    case questionCancelled(Question)
    case questionSuperseded(Question)
    /// The question is approved, denied or revoked, where only a pending one will do.
    case questionDecided(Question)
    /// Consent was taken back: for this question for good, or for the person until a return. Nil where no question is
    /// concerned.
    case consentRescinded(Question?)
    /// The caller last saw another revision than the question has.
    case revisionChanged(Question)
    /// The same thing was refused a short while ago; it may be asked again from `until` on.
    case deniedRecently(Question, until: Instant, now: Instant)
    case guardianNotLinked
    /// The app's policy wants the guardian verified for an approval, in one of these ways.
    case verificationRequired(methods: [String])
    /// Fewer linked guardians than must approve.
    case quorumUnreachable(links: Int, quorum: Int)
    /// Whatever a guardian said, the person would stay blocked, for this reason.
    case blocked(AccessReason)
    case notAnAdult
    case ageUnknown
    case adultNotConfirmed
    /// The topic names a change that is not registered.
    case changeNotRegistered
    /// The change was withdrawn: nothing is asked, acknowledged or registered about it any more.
    case changeWithdrawn(Change)
    /// The scope of a rescission names a change that is not registered.
    case rescindedChangeNotRegistered
    case expirationNotAfterNow(now: Instant)
    case expirationTooFar(latest: Instant)
    /// A device says that it will observe something in the future.
    case observationAhead(latest: Instant)
    /// The store's id is another person's.
    case accountTaken(StoreAccount)
    /// Only a rescission that nobody could be found for is attributed by hand.
    case notAttributable(StoreNotification)
    /// The app has as many endpoints as it may.
    case tooManyWebhookEndpoints
    /// Nothing is sent to a disabled endpoint.
    case webhookEndpointDisabled(WebhookEndpoint)
    /// A redelivery names an event that the log does not have.
    case unknownEvent
    /// The same idempotency key came with another request before.
    case idempotencyKeyReused
}

extension Refusal {
    /// A stable name of the kind of refusal, without what it carries; never reused.
    package var code: String {
        switch self {
        case .unknownApp: "unknownApp"
        case .unknownPerson: "unknownPerson"
        case .unknownQuestion: "unknownQuestion"
        case .unknownChange: "unknownChange"
        case .unknownKey: "unknownKey"
        case .unknownNotification: "unknownNotification"
        case .preconditionFailed: "preconditionFailed"
        case .notAvailable: "notAvailable"
        case .questionExpired: "questionExpired"
        case .questionCancelled: "questionCancelled"
        case .questionSuperseded: "questionSuperseded"
        case .questionDecided: "questionDecided"
        case .consentRescinded: "consentRescinded"
        case .revisionChanged: "revisionChanged"
        case .deniedRecently: "deniedRecently"
        case .guardianNotLinked: "guardianNotLinked"
        case .verificationRequired: "verificationRequired"
        case .quorumUnreachable: "quorumUnreachable"
        case .blocked: "blocked"
        case .notAnAdult: "notAnAdult"
        case .ageUnknown: "ageUnknown"
        case .adultNotConfirmed: "adultNotConfirmed"
        case .changeNotRegistered: "changeNotRegistered"
        case .changeWithdrawn: "changeWithdrawn"
        case .rescindedChangeNotRegistered: "rescindedChangeNotRegistered"
        case .expirationNotAfterNow: "expirationNotAfterNow"
        case .expirationTooFar: "expirationTooFar"
        case .observationAhead: "observationAhead"
        case .accountTaken: "accountTaken"
        case .notAttributable: "notAttributable"
        case .unknownWebhookEndpoint: "unknownWebhookEndpoint"
        case .tooManyWebhookEndpoints: "tooManyWebhookEndpoints"
        case .webhookEndpointDisabled: "webhookEndpointDisabled"
        case .unknownEvent: "unknownEvent"
        case .idempotencyKeyReused: "idempotencyKeyReused"
        }
    }
}
