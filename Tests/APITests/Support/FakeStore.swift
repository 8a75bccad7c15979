import Consent
import Store
import Synchronization

@testable import TestSupport

/// A store that holds a few values and can be told to fail, for what a real database cannot be brought to do.
final class FakeStore: StoreReading, StoreWriting {
    struct Content: Sendable {
        var failure: StoreFailure?
        var credentials: [Identifier: Credential] = [:]
        var origins: [AppID: [String]] = [:]
        var reply: Reply?
        var apps: [AppID: App] = [:]
        var credentialReads = 0
        /// Where look-ups of credentials wait.
        var credentialGate: Turnstile?
        var persons: [CallerID: Person] = [:]
        /// How many more persons can be read before the database is gone; nil: any number.
        var personReadsLeft: Int?
        var heads: [AppID: FeedHead] = [:]
        var originReads = 0
        var signingKeys = StoredSigningKeys(keys: [], now: Instant(microseconds: 1_800_000_000_000_000))
        var signingKeyReads = 0
    }

    let content = Mutex(Content())

    private func read<Value>(_ body: (inout Content) -> Value) throws(StoreFailure) -> Value {
        let result: Result<Value, StoreFailure> = content.withLock { content in
            if let failure = content.failure { return .failure(failure) }
            return .success(body(&content))
        }
        return try result.get()
    }

    func credential(_ id: Identifier) async throws(StoreFailure) -> Credential? {
        let gate = content.withLock { content in
            content.credentialReads += 1
            return content.credentialGate
        }
        await gate?.enter()
        return try read { $0.credentials[id] }
    }

    func allowedOrigins() async throws(StoreFailure) -> [AppID: [String]] {
        content.withLock { $0.originReads += 1 }
        return try read { $0.origins }
    }

    func submit(_ submission: Submission) async throws(StoreFailure) -> Reply {
        guard let reply = try read({ $0.reply }) else { throw .unavailable }
        return reply
    }

    func question(_ app: AppID, _ id: Identifier) async throws(StoreFailure) -> QuestionRecord? {
        try read { _ in nil }
    }
    func questions(
        _ app: AppID, _ filter: QuestionFilter, after: QuestionPosition?, limit: Int
    ) async throws(StoreFailure) -> QuestionPage { try read { _ in QuestionPage(rows: [], next: nil) } }
    func questionCounts(
        _ app: AppID, _ filter: QuestionFilter
    ) async throws(StoreFailure) -> [QuestionState: Int] { try read { _ in [:] } }
    func answers(_ app: AppID, question: Identifier) async throws(StoreFailure) -> [GuardianAnswer]? {
        try read { _ in nil }
    }
    func answers(
        _ app: AppID, questions: [Identifier]
    ) async throws(StoreFailure) -> [Identifier: [GuardianAnswer]] { try read { _ in [:] } }
    func person(_ app: AppID, _ id: CallerID) async throws(StoreFailure) -> Person? {
        content.withLock { content in
            guard let left = content.personReadsLeft else { return }
            if left == 0 { content.failure = .unavailable } else { content.personReadsLeft = left - 1 }
        }
        return try read { $0.persons[id] }
    }
    func guardians(_ app: AppID, person: CallerID) async throws(StoreFailure) -> [GuardianLink]? {
        try read { _ in nil }
    }
    func acknowledgment(
        _ app: AppID, person: CallerID, change: CallerID
    ) async throws(StoreFailure) -> Acknowledgment? { try read { _ in nil } }
    func acknowledgments(_ app: AppID, person: CallerID) async throws(StoreFailure) -> [Acknowledgment]? {
        try read { _ in nil }
    }
    func rescissions(_ app: AppID, person: CallerID) async throws(StoreFailure) -> [Rescission]? {
        try read { _ in nil }
    }
    func access(_ app: AppID, persons: [CallerID]) async throws(StoreFailure) -> [AccessDecision?] {
        try read { _ in persons.map { _ in nil } }
    }
    func change(_ app: AppID, _ id: CallerID) async throws(StoreFailure) -> Change? { try read { _ in nil } }
    func preview(_ app: AppID, _ settings: ChangeSettings) async throws(StoreFailure) -> ChangePreview? {
        try read { _ in nil }
    }
    func progress(_ app: AppID, change: CallerID) async throws(StoreFailure) -> ChangeProgress? {
        try read { _ in nil }
    }
    func changes(_ app: AppID, after: CallerID?, limit: Int) async throws(StoreFailure) -> Page<Change> {
        try read { _ in Page(rows: [], more: false) }
    }
    func ageRatings(
        _ app: AppID, storefront: Storefront?, environment: OriginalVersion.Environment?, after: AgeRatingScope?,
        limit: Int
    ) async throws(StoreFailure) -> Page<AgeRating> { try read { _ in Page(rows: [], more: false) } }
    func ageRating(_ app: AppID, _ scope: AgeRatingScope) async throws(StoreFailure) -> AgeRating? {
        try read { _ in nil }
    }
    func ageRatingSteps(
        _ app: AppID, _ scope: AgeRatingScope, after: Int, limit: Int
    ) async throws(StoreFailure) -> Page<AgeRatingStep>? { try read { _ in nil } }
    func storeNotifications(
        _ app: AppID, _ filter: StoreNotificationFilter, after: Identifier?, limit: Int
    ) async throws(StoreFailure) -> Page<StoreNotificationRecord> { try read { _ in Page(rows: [], more: false) } }
    func storeNotification(
        _ app: AppID, _ id: Identifier
    ) async throws(StoreFailure) -> StoreNotificationRecord? { try read { _ in nil } }
    func storeAccounts(_ app: AppID, person: CallerID) async throws(StoreFailure) -> [RegisteredAccount]? {
        try read { _ in nil }
    }
    func app(_ id: AppID) async throws(StoreFailure) -> App? { try read { $0.apps[id] } }
    func apps(after: AppID?, limit: Int) async throws(StoreFailure) -> Page<App> {
        try read { _ in Page(rows: [], more: false) }
    }
    func keys(_ app: AppID) async throws(StoreFailure) -> [APIKey] { try read { _ in [] } }
    func key(_ app: AppID, _ id: Identifier) async throws(StoreFailure) -> APIKey? { try read { _ in nil } }
    func events(
        _ app: AppID, _ filter: EventFilter, types: [EventType]?, after: Int64, limit: Int
    ) async throws(StoreFailure) -> EventPage? { try read { _ in nil } }
    func webhookEndpoints(_ app: AppID) async throws(StoreFailure) -> [WebhookEndpoint] { try read { _ in [] } }
    func webhookEndpoint(_ app: AppID, _ id: Identifier) async throws(StoreFailure) -> WebhookEndpoint? {
        try read { _ in nil }
    }
    func webhookDeliveries(
        _ app: AppID, endpoint: Identifier, status: WebhookDelivery.Status?, before: Identifier?, limit: Int
    ) async throws(StoreFailure) -> Page<WebhookDeliveryRecord>? { try read { _ in nil } }
    func webhookDelivery(
        _ app: AppID, endpoint: Identifier, _ id: Identifier
    ) async throws(StoreFailure) -> WebhookDeliveryRecord? { try read { _ in nil } }
    func standing(_ app: AppID, guardian: CallerID) async throws(StoreFailure) -> GuardianStanding? {
        try read { _ in nil }
    }
    func signingKeys() async throws(StoreFailure) -> StoredSigningKeys {
        content.withLock { $0.signingKeyReads += 1 }
        return try read { $0.signingKeys }
    }
    func add(_ key: NewSigningKey) async throws(StoreFailure) -> Bool {
        try read { content in
            let keys = content.signingKeys
            guard keys.keys.last?.id == key.follows else { return false }
            let stored = StoredSigningKey(
                id: key.id, publicPoint: key.publicPoint, sealedKey: key.sealedKey, createdAt: keys.now,
                signsFrom: keys.now.adding(seconds: Int64(key.leadSeconds)))
            content.signingKeys = StoredSigningKeys(keys: (key.replacesAll ? [] : keys.keys) + [stored], now: keys.now)
            return true
        }
    }
    func heads(_ apps: [AppID]) async throws(StoreFailure) -> [AppID: FeedHead] { try read { $0.heads } }
}
