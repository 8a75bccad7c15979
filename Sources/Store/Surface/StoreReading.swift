package import Consent

/// Every question one can ask of the store; each is one batched read, judged by the database's clock.
package protocol StoreReading: Sendable {
    func question(_ app: AppID, _ id: Identifier) async throws(StoreFailure) -> QuestionRecord?
    /// `limit` 1 to 100.
    func questions(
        _ app: AppID, _ filter: QuestionFilter, after: QuestionPosition?, limit: Int
    ) async throws(StoreFailure) -> QuestionPage
    /// A count for every state, zero included.
    func questionCounts(_ app: AppID, _ filter: QuestionFilter) async throws(StoreFailure) -> [QuestionState: Int]
    /// Every answer in the order given; nil when there is no such question.
    func answers(_ app: AppID, question: Identifier) async throws(StoreFailure) -> [GuardianAnswer]?

    /// Every answer to some questions, each question's in the order given; those without any are left out.
    func answers(
        _ app: AppID, questions: [Identifier]
    ) async throws(StoreFailure) -> [Identifier: [GuardianAnswer]]

    func person(_ app: AppID, _ id: CallerID) async throws(StoreFailure) -> Person?
    /// In byte order of the guardians; nil when there is no such person.
    func guardians(_ app: AppID, person: CallerID) async throws(StoreFailure) -> [GuardianLink]?
    func acknowledgment(
        _ app: AppID, person: CallerID, change: CallerID
    ) async throws(StoreFailure) -> Acknowledgment?
    /// In the order given; nil when there is no such person.
    func acknowledgments(_ app: AppID, person: CallerID) async throws(StoreFailure) -> [Acknowledgment]?

    /// As they were learnt of; nil when there is no such person.
    func rescissions(_ app: AppID, person: CallerID) async throws(StoreFailure) -> [Rescission]?
    /// What each of at most 500 persons may do now, in the order asked and as often; nil for one who is not known.
    func access(_ app: AppID, persons: [CallerID]) async throws(StoreFailure) -> [AccessDecision?]

    func change(_ app: AppID, _ id: CallerID) async throws(StoreFailure) -> Change?
    /// What a change that is not registered would mean for the app's persons; nil when there is no such app.
    func preview(_ app: AppID, _ settings: ChangeSettings) async throws(StoreFailure) -> ChangePreview?
    /// Nil when there is no such change.
    func progress(_ app: AppID, change: CallerID) async throws(StoreFailure) -> ChangeProgress?
    /// In byte order of their ids.
    func changes(_ app: AppID, after: CallerID?, limit: Int) async throws(StoreFailure) -> Page<Change>

    /// In the order of their scopes, of one storefront or one environment alone where they are given.
    func ageRatings(
        _ app: AppID, storefront: Storefront?, environment: OriginalVersion.Environment?, after: AgeRatingScope?,
        limit: Int
    ) async throws(StoreFailure) -> Page<AgeRating>
    func ageRating(_ app: AppID, _ scope: AgeRatingScope) async throws(StoreFailure) -> AgeRating?
    /// The steps after a revision, in order; nil when nothing is known of the scope.
    func ageRatingSteps(
        _ app: AppID, _ scope: AgeRatingScope, after: Int, limit: Int
    ) async throws(StoreFailure) -> Page<AgeRatingStep>?

    /// What the stores sent, without payloads, in the order it first came; `limit` 1 to 100.
    func storeNotifications(
        _ app: AppID, _ filter: StoreNotificationFilter, after: Identifier?, limit: Int
    ) async throws(StoreFailure) -> Page<StoreNotificationRecord>
    /// With its payload, where that was not erased.
    func storeNotification(_ app: AppID, _ id: Identifier) async throws(StoreFailure) -> StoreNotificationRecord?
    /// The stores' ids of a person, as they were registered; nil when there is no such person.
    func storeAccounts(_ app: AppID, person: CallerID) async throws(StoreFailure) -> [RegisteredAccount]?

    func app(_ id: AppID) async throws(StoreFailure) -> App?
    /// In byte order of their ids.
    func apps(after: AppID?, limit: Int) async throws(StoreFailure) -> Page<App>
    /// Every web origin that any app lists.
    func allowedOrigins() async throws(StoreFailure) -> [AppID: [String]]
    /// Keys of the app that are not revoked, oldest first.
    func keys(_ app: AppID) async throws(StoreFailure) -> [APIKey]
    /// One of the app's keys that is not revoked.
    func key(_ app: AppID, _ id: Identifier) async throws(StoreFailure) -> APIKey?
    /// The key with this id, revoked ones included; of any app, for authentication.
    func credential(_ id: Identifier) async throws(StoreFailure) -> Credential?

    /// Events after a position, in order; `limit` 1 to 100. Nil when there is no such app or, filtered by it, no such
    /// question or person.
    ///
    /// - Parameter types: the only types taken; nil takes all.
    func events(
        _ app: AppID, _ filter: EventFilter, types: [EventType]?, after: Int64, limit: Int
    ) async throws(StoreFailure) -> EventPage?
    /// In the order of their creation; at most 50.
    func webhookEndpoints(_ app: AppID) async throws(StoreFailure) -> [WebhookEndpoint]
    func webhookEndpoint(_ app: AppID, _ id: Identifier) async throws(StoreFailure) -> WebhookEndpoint?
    /// What was and is sent to an endpoint, newest first; nil when there is no such endpoint. `limit` 1 to 100.
    func webhookDeliveries(
        _ app: AppID, endpoint: Identifier, status: WebhookDelivery.Status?, before: Identifier?, limit: Int
    ) async throws(StoreFailure) -> Page<WebhookDeliveryRecord>?
    func webhookDelivery(
        _ app: AppID, endpoint: Identifier, _ id: Identifier
    ) async throws(StoreFailure) -> WebhookDeliveryRecord?
    /// How far the logs of some apps have come, in one read across them; those that do not exist are left out.
    func heads(_ apps: [AppID]) async throws(StoreFailure) -> [AppID: FeedHead]
    /// Whom a guardian is linked to, and how far the app's log has come then; nil when there is no such app.
    func standing(_ app: AppID, guardian: CallerID) async throws(StoreFailure) -> GuardianStanding?

    func signingKeys() async throws(StoreFailure) -> StoredSigningKeys
    /// Adds a signing key unless another follows the same one already; whether it is there now.
    func add(_ key: NewSigningKey) async throws(StoreFailure) -> Bool
}

extension StoreReading {
    /// Events of every type.
    package func events(
        _ app: AppID, _ filter: EventFilter, after: Int64, limit: Int
    ) async throws(StoreFailure) -> EventPage? {
        try await events(app, filter, types: nil, after: after, limit: limit)
    }
}

/// The one way to change anything. Cancelling the task takes a command back that still waits (`deadline`).
package protocol StoreWriting: Sendable {
    func submit(_ submission: Submission) async throws(StoreFailure) -> Reply
}
