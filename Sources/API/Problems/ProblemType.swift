/// The types of problems, the one table of them; `type` ends in `/problems/<slug>`.
///
/// A slug means the same for ever: a type that is no longer used keeps its line, and nothing else takes its name.
package struct ProblemType: Sendable, Hashable {
    package let slug: String
    package let status: Int
    package let title: String

    private init(_ slug: String, _ status: Int, _ title: String) {
        self.slug = slug
        self.status = status
        self.title = title
    }

    static let malformedRequest = ProblemType("malformed-request", 400, "The request cannot be read")
    static let malformedBody = ProblemType("malformed-body", 400, "The body is not JSON")
    static let invalidParameter = ProblemType("invalid-parameter", 400, "A query parameter is not acceptable")
    static let invalidHeader = ProblemType("invalid-header", 400, "A header is not acceptable")
    static let appRequired = ProblemType("app-required", 400, "An admin's request must name an app")
    static let notificationRefused = ProblemType(
        "notification-refused", 400, "The notification can never be verified")
    static let unauthenticated = ProblemType("unauthenticated", 401, "A valid key is required")
    static let forbidden = ProblemType("forbidden", 403, "The key does not allow this")
    static let tokenNotAllowed = ProblemType("token-not-allowed", 403, "The token does not allow this")
    static let notTokenSubject = ProblemType("not-token-subject", 403, "The token speaks for somebody else")
    static let notFound = ProblemType("not-found", 404, "There is nothing at this path")
    static let appNotFound = ProblemType("app-not-found", 404, "There is no such app")
    static let keyNotFound = ProblemType("key-not-found", 404, "There is no such key")
    static let personNotFound = ProblemType("person-not-found", 404, "There is no such person")
    static let guardianNotFound = ProblemType("guardian-not-found", 404, "There is no such guardian link")
    static let acknowledgmentNotFound = ProblemType(
        "acknowledgment-not-found", 404, "There is no such acknowledgment")
    static let changeNotFound = ProblemType("change-not-found", 404, "There is no such change")
    static let ageRatingNotFound = ProblemType(
        "age-rating-not-found", 404, "No age rating is known of this storefront and environment")
    static let questionNotFound = ProblemType("question-not-found", 404, "There is no such question")
    static let notificationNotFound = ProblemType("notification-not-found", 404, "There is no such notification")
    static let webhookEndpointNotFound = ProblemType(
        "webhook-endpoint-not-found", 404, "There is no such webhook endpoint")
    static let webhookDeliveryNotFound = ProblemType(
        "webhook-delivery-not-found", 404, "The webhook delivery is not kept any more")
    static let tooManyWebhookEndpoints = ProblemType(
        "too-many-webhook-endpoints", 409, "The app has as many webhook endpoints as it may")
    static let webhookEndpointDisabled = ProblemType(
        "webhook-endpoint-disabled", 409, "The webhook endpoint is disabled")
    static let methodNotAllowed = ProblemType("method-not-allowed", 405, "The method is not allowed here")
    static let requestTimeout = ProblemType("request-timeout", 408, "The request did not arrive in time")
    static let questionExpired = ProblemType("question-expired", 409, "The question has expired")
    static let questionCancelled = ProblemType("question-cancelled", 409, "The question was cancelled")
    static let questionSuperseded = ProblemType("question-superseded", 409, "The question was asked anew")
    static let questionDecided = ProblemType("question-decided", 409, "The question is decided")
    static let consentRescinded = ProblemType("consent-rescinded", 409, "Consent was taken back")
    static let revisionChanged = ProblemType("revision-changed", 409, "The question has changed since it was seen")
    static let deniedRecently = ProblemType("denied-recently", 409, "The same was denied a short while ago")
    static let notAvailable = ProblemType("not-available", 409, "The person is an adult")
    static let accessBlocked = ProblemType("access-blocked", 409, "Nobody's answer would let the person in")
    static let notAnAdult = ProblemType("not-an-adult", 409, "The person is a minor")
    static let ageUnknown = ProblemType("age-unknown", 409, "The person's age is not known")
    static let adultNotConfirmed = ProblemType("adult-not-confirmed", 409, "The person's age is not confirmed")
    static let changeWithdrawn = ProblemType("change-withdrawn", 409, "The change was withdrawn")
    static let accountTaken = ProblemType("account-taken", 409, "The store's id is another person's")
    static let notAttributable = ProblemType("not-attributable", 409, "The notification cannot be attributed by hand")
    static let notReplayable = ProblemType("not-replayable", 409, "The notification cannot be judged again")
    static let preconditionFailed = ProblemType("precondition-failed", 412, "The resource is at another revision")
    static let bodyTooLarge = ProblemType("body-too-large", 413, "The body is too large")
    static let targetTooLong = ProblemType("target-too-long", 414, "The request target is too long")
    static let unsupportedMediaType = ProblemType("unsupported-media-type", 415, "The body is of another media type")
    static let invalidBody = ProblemType("invalid-body", 422, "The body has wrong fields")
    static let guardianNotLinked = ProblemType(
        "guardian-not-linked", 422, "The guardian may not answer for the person")
    static let verificationRequired = ProblemType(
        "verification-required", 422, "The guardian must be verified to approve")
    static let quorumUnreachable = ProblemType(
        "quorum-unreachable", 422, "The person has fewer guardians than must approve")
    static let changeNotRegistered = ProblemType("change-not-registered", 422, "The change is not registered")
    static let expirationNotAcceptable = ProblemType(
        "expiration-not-acceptable", 422, "The expiration is not acceptable")
    static let observationNotAcceptable = ProblemType(
        "observation-not-acceptable", 422, "The time of the observation is not acceptable")
    static let appTransactionRefused = ProblemType(
        "app-transaction-refused", 422, "The app transaction is not acceptable")
    static let idempotencyKeyReused = ProblemType(
        "idempotency-key-reused", 422, "The idempotency key came with another request")
    static let tooManyFailures = ProblemType("too-many-failures", 429, "Too much did not verify")
    static let headTooLarge = ProblemType("head-too-large", 431, "The request's headers are too large")
    static let tooManyStreams = ProblemType("too-many-streams", 429, "The key has too many streams open")
    static let internalError = ProblemType("internal-error", 500, "The server made a mistake")
    static let overloaded = ProblemType("overloaded", 503, "The server is busy")
    static let unavailable = ProblemType("unavailable", 503, "The service is not available")
    static let appStoreNotConfigured = ProblemType(
        "app-store-not-configured", 503, "Nothing of the App Store can be verified")
    static let secretKeyNotConfigured = ProblemType(
        "secret-key-not-configured", 503, "The operator has configured no secret key")
    static let timedOut = ProblemType("timed-out", 503, "The request was not answered in time")
    static let outcomeUnknown = ProblemType("outcome-unknown", 503, "What became of the request is not known")

    /// Every type there is; the contract names exactly these.
    package static let all: [ProblemType] = [
        malformedRequest, malformedBody, invalidParameter, invalidHeader, appRequired, unauthenticated, forbidden,
        notFound, appNotFound, keyNotFound, personNotFound, guardianNotFound, acknowledgmentNotFound, changeNotFound,
        ageRatingNotFound,
        questionNotFound, methodNotAllowed, requestTimeout, questionExpired, questionCancelled, questionSuperseded,
        questionDecided, consentRescinded, revisionChanged, deniedRecently, notAvailable, accessBlocked, notAnAdult,
        ageUnknown,
        adultNotConfirmed, changeWithdrawn, preconditionFailed, bodyTooLarge, targetTooLong, unsupportedMediaType,
        invalidBody, guardianNotLinked, verificationRequired, quorumUnreachable, changeNotRegistered,
        expirationNotAcceptable,
        observationNotAcceptable, idempotencyKeyReused, headTooLarge,
        notificationRefused, notificationNotFound, accountTaken, notAttributable, notReplayable, appTransactionRefused,
        webhookEndpointNotFound, webhookDeliveryNotFound, tooManyWebhookEndpoints, webhookEndpointDisabled,
        tooManyFailures, tooManyStreams, appStoreNotConfigured, secretKeyNotConfigured, tokenNotAllowed,
        notTokenSubject,
        internalError, overloaded, unavailable, timedOut, outcomeUnknown,
    ]
}
