import Consent

/// What a route needs of a browser's token, and which of its ids must be of the token's subject.
struct TokenRule: Sendable, Hashable {
    /// Where it is said whom a request is about.
    enum Reach: Sendable, Hashable {
        /// The path's question must be of the token's person, or of somebody whom its guardian is linked to.
        case question
        /// The same of the path's person.
        case person
        /// A list or a log, which shows what the token's subject may know and nothing else.
        case list
        /// The body says it.
        case body
    }

    let action: TokenAction
    let reach: Reach

    init(_ action: TokenAction, _ reach: Reach) {
        self.action = action
        self.reach = reach
    }
}

extension Route {
    /// The one table of what tokens may do: what a person's needs and what a guardian's needs; nil: no token is good for it. Ages,
    /// features, links and everything an app is set up with are written by keys alone.
    var tokenRules: (person: TokenRule?, guardian: TokenRule?) {
        switch self {
        case .ask: (TokenRule(.questionCreate, .body), nil)
        case .askAll: (TokenRule(.questionCreate, .person), nil)
        case .cancel: (TokenRule(.questionCancel, .question), nil)
        case .getAccess: (TokenRule(.accessRead, .person), nil)
        case .answer: (nil, TokenRule(.questionAnswer, .question))
        case .answerMany: (nil, TokenRule(.questionAnswer, .person))
        case .listQuestions, .countQuestions: (TokenRule(.questionRead, .list), TokenRule(.questionRead, .list))
        case .getQuestion, .listAnswers: (TokenRule(.questionRead, .question), TokenRule(.questionRead, .question))
        case .listQuestionEvents: (TokenRule(.eventsRead, .question), TokenRule(.eventsRead, .question))
        case .listPersonEvents: (TokenRule(.eventsRead, .person), TokenRule(.eventsRead, .person))
        case .createStreamTicket: (TokenRule(.eventsRead, .body), TokenRule(.eventsRead, .body))
        case .listEvents: (TokenRule(.eventsRead, .list), TokenRule(.eventsRead, .list))
        case .putApp, .getApp, .listApps, .createKey, .listKeys, .revokeKey, .createToken, .putPerson, .getPerson,
            .erasePerson, .exportPerson, .decideAccess, .linkGuardian, .unlinkGuardian, .listGuardians, .acknowledge,
            .getAcknowledgment, .listAcknowledgments, .rescind, .reinstate, .registerAppTransaction,
            .registerPlaySignals, .listStoreAccounts, .receiveNotification, .receivePlayRevocations,
            .listStoreNotifications, .getStoreNotification, .attributeNotification, .replayNotification, .putChange,
            .getChange, .listChanges, .withdrawChange, .readProgress, .previewChange, .observeAgeRating,
            .listAgeRatings, .listAgeRatingHistory, .createWebhookEndpoint, .listWebhookEndpoints, .getWebhookEndpoint,
            .putWebhookEndpoint, .deleteWebhookEndpoint, .rotateWebhookSecret, .redeliverWebhooks, .testWebhookEndpoint,
            .listWebhookDeliveries, .health, .readiness, .metrics, .contract, .signingKeys:
            (nil, nil)
        }
    }

    /// What it needs of a token of this kind.
    func tokenRule(for kind: TokenSubject.Kind) -> TokenRule? {
        switch kind {
        case .person: tokenRules.person
        case .guardian: tokenRules.guardian
        }
    }
}
