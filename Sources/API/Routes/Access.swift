/// Who may use a route, and where its app comes from.
enum Access: Sendable, Hashable {
    /// Anybody, without a key: a page outside `/v1`.
    case open(OperationalPage)
    /// Admins; about no app, or about the one in the path.
    case admin
    /// Any role; the key's app, or the one an admin names with `?app=`.
    case app
    /// As `app`, but no viewers.
    case appWriting
}

/// What stands outside `/v1`.
enum OperationalPage: Sendable {
    case health, readiness, metrics, contract
}

extension Route {
    var access: Access {
        switch self {
        case .health: .open(.health)
        case .readiness: .open(.readiness)
        case .metrics: .open(.metrics)
        case .contract: .open(.contract)
        case .putApp, .getApp, .listApps, .createKey, .listKeys, .revokeKey: .admin
        case .getPerson, .getAccess, .decideAccess, .listPersonEvents, .exportPerson, .listGuardians,
            .getAcknowledgment,
            .listAcknowledgments, .getChange, .listChanges, .readProgress, .previewChange,
            .listQuestions, .countQuestions, .getQuestion, .listQuestionEvents, .listAnswers, .listEvents,
            .listAgeRatings, .listAgeRatingHistory:
            .app
        case .putPerson, .erasePerson, .linkGuardian, .unlinkGuardian, .acknowledge, .rescind, .reinstate, .answerMany,
            .putChange,
            .withdrawChange, .ask, .askAll, .answer, .cancel, .observeAgeRating:
            .appWriting
        }
    }

    /// Whether the request's body is read, and whether it may be absent.
    var body: BodyRule {
        switch self {
        case .putApp, .createKey, .putPerson, .decideAccess, .rescind, .answerMany, .putChange, .previewChange, .ask,
            .answer,
            .observeAgeRating:
            .required
        case .linkGuardian, .acknowledge, .reinstate, .withdrawChange, .askAll, .cancel: .optional
        case .unlinkGuardian, .erasePerson, .revokeKey: .none
        case .getApp, .listApps, .listKeys, .getPerson, .getAccess, .listPersonEvents, .exportPerson, .listGuardians,
            .getAcknowledgment,
            .listAcknowledgments,
            .getChange, .listChanges, .readProgress, .listQuestions, .countQuestions, .getQuestion, .listQuestionEvents,
            .listAnswers, .listEvents, .listAgeRatings, .listAgeRatingHistory, .health, .readiness, .metrics, .contract:
            .none
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
}
