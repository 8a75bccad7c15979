import Representation

/// Who may use a route, and where its app comes from.
enum Access: Sendable, Hashable {
    /// Anybody, without a key: a page outside `/v1`.
    case open(OperationalPage)
    /// Anybody, without a key: what is sent proves itself by its signature.
    case signed
    /// Admins; about no app, or about the one in the path.
    case admin
    /// Admins, about the app they name with `?app=`.
    case appAdmin
    /// Any role; the key's app, or the one an admin names with `?app=`.
    case app
    /// As `app`, but no viewers.
    case appWriting
}

/// What stands outside `/v1`.
enum OperationalPage: Sendable {
    case health, readiness, metrics, contract, signingKeys
}

extension Route {
    var access: Access {
        switch self {
        case .health: .open(.health)
        case .readiness: .open(.readiness)
        case .metrics: .open(.metrics)
        case .contract: .open(.contract)
        case .signingKeys: .open(.signingKeys)
        case .receiveNotification: .signed
        case .putApp, .getApp, .listApps, .createKey, .listKeys, .revokeKey: .admin
        case .listStoreNotifications, .getStoreNotification, .attributeNotification, .replayNotification: .appAdmin
        case .getPerson, .getAccess, .decideAccess, .listPersonEvents, .exportPerson, .listGuardians,
            .getAcknowledgment,
            .listAcknowledgments, .getChange, .listChanges, .readProgress, .previewChange,
            .listQuestions, .countQuestions, .getQuestion, .listQuestionEvents, .listAnswers, .listEvents,
            .listAgeRatings, .listAgeRatingHistory, .listStoreAccounts, .createStreamTicket,
            .listWebhookEndpoints, .getWebhookEndpoint, .listWebhookDeliveries:
            .app
        case .putPerson, .erasePerson, .linkGuardian, .unlinkGuardian, .acknowledge, .rescind, .reinstate, .answerMany,
            .putChange,
            .withdrawChange, .ask, .askAll, .answer, .cancel, .observeAgeRating, .registerAppTransaction,
            .registerPlaySignals, .receivePlayRevocations, .createToken,
            .createWebhookEndpoint, .putWebhookEndpoint, .deleteWebhookEndpoint, .rotateWebhookSecret,
            .redeliverWebhooks, .testWebhookEndpoint:
            .appWriting
        }
    }

    /// Whether the request's body is read, and whether it may be absent.
    var body: BodyRule {
        switch self {
        case .putApp, .createKey, .createToken, .putPerson, .decideAccess, .rescind, .answerMany, .putChange,
            .previewChange, .ask,
            .answer,
            .observeAgeRating, .registerAppTransaction, .registerPlaySignals, .receiveNotification,
            .attributeNotification, .createWebhookEndpoint, .putWebhookEndpoint, .redeliverWebhooks:
            .required
        case .receivePlayRevocations: .table
        case .linkGuardian, .acknowledge, .reinstate, .withdrawChange, .askAll, .cancel, .replayNotification,
            .createStreamTicket,
            .rotateWebhookSecret, .testWebhookEndpoint:
            .optional
        case .unlinkGuardian, .erasePerson, .revokeKey, .deleteWebhookEndpoint: .none
        case .getApp, .listApps, .listKeys, .getPerson, .getAccess, .listPersonEvents, .exportPerson, .listGuardians,
            .getAcknowledgment,
            .listAcknowledgments,
            .getChange, .listChanges, .readProgress, .listQuestions, .countQuestions, .getQuestion, .listQuestionEvents,
            .listAnswers, .listEvents, .listAgeRatings, .listAgeRatingHistory, .listStoreAccounts,
            .listStoreNotifications,
            .getStoreNotification, .listWebhookEndpoints, .getWebhookEndpoint, .listWebhookDeliveries, .health,
            .readiness, .metrics, .contract, .signingKeys:
            .none
        }
    }

    /// How many bytes of body a route takes where that is more than the operator allows for all others.
    var largeBody: Int? {
        switch self {
        case .decideAccess: PostedPersons.largestBody
        case .receiveNotification: 256 * 1024
        case .receivePlayRevocations: 1024 * 1024
        default: nil
        }
    }

    /// The routes with large bodies, by what their paths have in every place that is no parameter.
    static let withLargeBodies: [(path: [String?], limit: Int)] = allCases.compactMap { route in
        route.largeBody.map { limit in
            let parts = route.location.template.split(separator: "/")
            return (parts.map { $0.hasPrefix("{") ? nil : String($0) }, limit)
        }
    }
}

/// What a route does with a request's body.
enum BodyRule: Sendable {
    /// It is not looked at.
    case none
    /// It must be there, as `application/json`.
    case required
    /// Without any bytes it counts as `{}`, whatever its media type; with some it is as `required`.
    case optional
    /// It must be there, as `text/csv`.
    case table
}
