package import HTTPServer

/// Everything one can ask of this service over HTTP; handlers switch over it exhaustively.
package enum Route: Sendable, Hashable, CaseIterable {
    case putApp, getApp, listApps
    case createKey, listKeys, revokeKey
    case createToken
    case putPerson, getPerson, erasePerson, listPersonEvents, exportPerson
    case getAccess, decideAccess
    case linkGuardian, unlinkGuardian, listGuardians
    case acknowledge, getAcknowledgment, listAcknowledgments
    case rescind, reinstate
    case registerAppTransaction, registerPlaySignals, listStoreAccounts
    case receiveNotification, receivePlayRevocations
    case listStoreNotifications, getStoreNotification, attributeNotification, replayNotification
    case putChange, getChange, listChanges, withdrawChange, readProgress, previewChange
    case ask, askAll, listQuestions, countQuestions, getQuestion, listQuestionEvents
    case answer, listAnswers, answerMany, cancel
    case observeAgeRating, listAgeRatings, listAgeRatingHistory
    case listEvents, createStreamTicket
    case createWebhookEndpoint, listWebhookEndpoints, getWebhookEndpoint, putWebhookEndpoint, deleteWebhookEndpoint
    case rotateWebhookSecret, redeliverWebhooks, testWebhookEndpoint, listWebhookDeliveries
    case health, readiness, metrics, contract, signingKeys

    /// Method and template; `openapi/openapi.yaml` has exactly these.
    package var location: (method: Method, template: String) {
        switch self {
        case .putApp: (.put, "/v1/apps/{app}")
        case .getApp: (.get, "/v1/apps/{app}")
        case .listApps: (.get, "/v1/apps")
        case .createKey: (.post, "/v1/apps/{app}/keys")
        case .listKeys: (.get, "/v1/apps/{app}/keys")
        case .revokeKey: (.delete, "/v1/apps/{app}/keys/{key}")
        case .createToken: (.post, "/v1/tokens")
        case .putPerson: (.put, "/v1/persons/{person}")
        case .getPerson: (.get, "/v1/persons/{person}")
        case .exportPerson: (.get, "/v1/persons/{person}/export")
        case .erasePerson: (.delete, "/v1/persons/{person}")
        case .listPersonEvents: (.get, "/v1/persons/{person}/history")
        case .getAccess: (.get, "/v1/persons/{person}/access")
        case .decideAccess: (.post, "/v1/access-decisions")
        case .linkGuardian: (.put, "/v1/persons/{person}/guardians/{guardian}")
        case .unlinkGuardian: (.delete, "/v1/persons/{person}/guardians/{guardian}")
        case .listGuardians: (.get, "/v1/persons/{person}/guardians")
        case .acknowledge: (.put, "/v1/persons/{person}/acknowledgments/{change}")
        case .getAcknowledgment: (.get, "/v1/persons/{person}/acknowledgments/{change}")
        case .listAcknowledgments: (.get, "/v1/persons/{person}/acknowledgments")
        case .rescind: (.post, "/v1/persons/{person}/rescission")
        case .reinstate: (.post, "/v1/persons/{person}/reinstatement")
        case .registerAppTransaction: (.post, "/v1/persons/{person}/app-transactions")
        case .registerPlaySignals: (.post, "/v1/persons/{person}/play-signals")
        case .listStoreAccounts: (.get, "/v1/persons/{person}/store-accounts")
        case .receiveNotification: (.post, "/v1/app-store/notifications/{app}")
        case .receivePlayRevocations: (.post, "/v1/play-store/revocations")
        case .listStoreNotifications: (.get, "/v1/store-notifications")
        case .getStoreNotification: (.get, "/v1/store-notifications/{notification}")
        case .attributeNotification: (.post, "/v1/store-notifications/{notification}/attribution")
        case .replayNotification: (.post, "/v1/store-notifications/{notification}/replay")
        case .answerMany: (.post, "/v1/persons/{person}/answers")
        case .putChange: (.put, "/v1/changes/{change}")
        case .getChange: (.get, "/v1/changes/{change}")
        case .listChanges: (.get, "/v1/changes")
        case .readProgress: (.get, "/v1/changes/{change}/progress")
        case .previewChange: (.post, "/v1/changes/preview")
        case .withdrawChange: (.post, "/v1/changes/{change}/withdrawal")
        case .ask: (.post, "/v1/questions")
        case .askAll: (.post, "/v1/persons/{person}/questions")
        case .listQuestions: (.get, "/v1/questions")
        case .countQuestions: (.get, "/v1/questions/counts")
        case .getQuestion: (.get, "/v1/questions/{question}")
        case .listQuestionEvents: (.get, "/v1/questions/{question}/events")
        case .answer: (.post, "/v1/questions/{question}/answers")
        case .listAnswers: (.get, "/v1/questions/{question}/answers")
        case .cancel: (.post, "/v1/questions/{question}/cancellation")
        case .observeAgeRating: (.post, "/v1/age-ratings")
        case .listAgeRatings: (.get, "/v1/age-ratings")
        case .listAgeRatingHistory: (.get, "/v1/age-ratings/{storefront}/{environment}/history")
        case .listEvents: (.get, "/v1/events")
        case .createWebhookEndpoint: (.post, "/v1/webhook-endpoints")
        case .listWebhookEndpoints: (.get, "/v1/webhook-endpoints")
        case .getWebhookEndpoint: (.get, "/v1/webhook-endpoints/{endpoint}")
        case .putWebhookEndpoint: (.put, "/v1/webhook-endpoints/{endpoint}")
        case .deleteWebhookEndpoint: (.delete, "/v1/webhook-endpoints/{endpoint}")
        case .rotateWebhookSecret: (.post, "/v1/webhook-endpoints/{endpoint}/secret-rotations")
        case .redeliverWebhooks: (.post, "/v1/webhook-endpoints/{endpoint}/redeliveries")
        case .testWebhookEndpoint: (.post, "/v1/webhook-endpoints/{endpoint}/tests")
        case .listWebhookDeliveries: (.get, "/v1/webhook-endpoints/{endpoint}/deliveries")
        case .createStreamTicket: (.post, "/v1/stream-tickets")
        case .health: (.get, "/healthz")
        case .readiness: (.get, "/readyz")
        case .metrics: (.get, "/metrics")
        case .contract: (.get, "/openapi.yaml")
        case .signingKeys: (.get, "/.well-known/jwks.json")
        }
    }

    /// The router over all of them.
    static let router = Router(
        allCases.map { Router<Route>.Entry($0.location.method, $0.location.template, $0) })
}
