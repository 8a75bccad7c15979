package import Consent

/// Each question as a query; what comes back is of the query's kind, anything else is a defect of this room.
extension Store: StoreReading {
    /// What of no single app requests wait for.
    private static var system: String { "" }
    /// The workers' looks across all apps: they may take long, and no request waits behind them.
    static var looks: String { "#" }

    package func question(_ app: AppID, _ id: Identifier) async throws(StoreFailure) -> QuestionRecord? {
        guard case .question(let record) = try await read(.question(app, id), lane: app.text) else { throw mismatch }
        return record
    }

    package func questions(
        _ app: AppID, _ filter: QuestionFilter, after: QuestionPosition?, limit: Int
    ) async throws(StoreFailure) -> QuestionPage {
        let query = Query.questions(app, filter, after: after, limit: limit)
        guard case .questions(let page) = try await read(query, lane: app.text) else { throw mismatch }
        return page
    }

    package func questionCounts(
        _ app: AppID, _ filter: QuestionFilter
    ) async throws(StoreFailure) -> [QuestionState: Int] {
        guard case .counts(let counts) = try await read(.counts(app, filter), lane: app.text) else { throw mismatch }
        return counts
    }

    package func answers(_ app: AppID, question: Identifier) async throws(StoreFailure) -> [GuardianAnswer]? {
        guard case .answers(let rows) = try await read(.answers(app, question), lane: app.text) else { throw mismatch }
        return rows
    }

    package func answers(
        _ app: AppID, questions: [Identifier]
    ) async throws(StoreFailure) -> [Identifier: [GuardianAnswer]] {
        let query = Query.answersOfMany(app, questions)
        guard case .answersOfMany(let rows) = try await read(query, lane: app.text) else { throw mismatch }
        return rows
    }

    package func person(_ app: AppID, _ id: CallerID) async throws(StoreFailure) -> Person? {
        guard case .person(let person) = try await read(.person(app, id), lane: app.text) else { throw mismatch }
        return person
    }

    package func guardians(_ app: AppID, person: CallerID) async throws(StoreFailure) -> [GuardianLink]? {
        guard case .guardians(let rows) = try await read(.guardians(app, person), lane: app.text) else {
            throw mismatch
        }
        return rows
    }

    package func acknowledgment(
        _ app: AppID, person: CallerID, change: CallerID
    ) async throws(StoreFailure) -> Acknowledgment? {
        let query = Query.acknowledgment(app, AcknowledgmentPair(person: person, change: change))
        guard case .acknowledgment(let row) = try await read(query, lane: app.text) else { throw mismatch }
        return row
    }

    package func acknowledgments(_ app: AppID, person: CallerID) async throws(StoreFailure) -> [Acknowledgment]? {
        guard case .acknowledgments(let rows) = try await read(.acknowledgments(app, person), lane: app.text) else {
            throw mismatch
        }
        return rows
    }

    package func rescissions(_ app: AppID, person: CallerID) async throws(StoreFailure) -> [Rescission]? {
        guard case .rescissions(let rows) = try await read(.rescissions(app, person), lane: app.text) else {
            throw mismatch
        }
        return rows
    }

    package func access(_ app: AppID, persons: [CallerID]) async throws(StoreFailure) -> [AccessDecision?] {
        guard case .access(let decisions) = try await read(.access(app, persons), lane: app.text) else {
            throw mismatch
        }
        return decisions
    }

    package func change(_ app: AppID, _ id: CallerID) async throws(StoreFailure) -> Change? {
        guard case .change(let change) = try await read(.change(app, id), lane: app.text) else { throw mismatch }
        return change
    }

    package func preview(
        _ app: AppID, _ settings: ChangeSettings
    ) async throws(StoreFailure) -> ChangePreview? {
        guard case .preview(let preview) = try await read(.preview(app, settings), lane: app.text) else {
            throw mismatch
        }
        return preview
    }

    package func progress(_ app: AppID, change: CallerID) async throws(StoreFailure) -> ChangeProgress? {
        guard case .progress(let found) = try await read(.progress(app, change), lane: app.text) else { throw mismatch }
        return found
    }

    package func changes(_ app: AppID, after: CallerID?, limit: Int) async throws(StoreFailure) -> Page<Change> {
        let query = Query.changes(app, after: after, limit: limit)
        guard case .changes(let page) = try await read(query, lane: app.text) else { throw mismatch }
        return page
    }

    package func ageRatings(
        _ app: AppID, storefront: Storefront?, environment: OriginalVersion.Environment?, after: AgeRatingScope?,
        limit: Int
    ) async throws(StoreFailure) -> Page<AgeRating> {
        let query = Query.ageRatings(app, storefront, environment, after: after, limit: limit)
        guard case .ageRatings(let page) = try await read(query, lane: app.text) else { throw mismatch }
        return page
    }

    package func ageRating(_ app: AppID, _ scope: AgeRatingScope) async throws(StoreFailure) -> AgeRating? {
        guard case .ageRating(let rating) = try await read(.ageRating(app, scope), lane: app.text) else {
            throw mismatch
        }
        return rating
    }

    package func ageRatingSteps(
        _ app: AppID, _ scope: AgeRatingScope, after: Int, limit: Int
    ) async throws(StoreFailure) -> Page<AgeRatingStep>? {
        let query = Query.ageRatingSteps(app, scope, after: after, limit: limit)
        guard case .ageRatingSteps(let page) = try await read(query, lane: app.text) else { throw mismatch }
        return page
    }

    package func storeNotifications(
        _ app: AppID, _ filter: StoreNotificationFilter, after: Identifier?, limit: Int
    ) async throws(StoreFailure) -> Page<StoreNotificationRecord> {
        let query = Query.storeNotifications(app, filter, after: after, limit: limit)
        guard case .storeNotifications(let page) = try await read(query, lane: app.text) else { throw mismatch }
        return page
    }

    package func storeNotification(
        _ app: AppID, _ id: Identifier
    ) async throws(StoreFailure) -> StoreNotificationRecord? {
        guard case .storeNotification(let found) = try await read(.storeNotification(app, id), lane: app.text) else {
            throw mismatch
        }
        return found
    }

    package func storeAccounts(
        _ app: AppID, person: CallerID
    ) async throws(StoreFailure) -> [RegisteredAccount]? {
        guard case .storeAccounts(let rows) = try await read(.storeAccounts(app, person), lane: app.text) else {
            throw mismatch
        }
        return rows
    }

    package func app(_ id: AppID) async throws(StoreFailure) -> App? {
        guard case .app(let app) = try await read(.app(id), lane: id.text) else { throw mismatch }
        return app
    }

    package func apps(after: AppID?, limit: Int) async throws(StoreFailure) -> Page<App> {
        let query = Query.apps(after: after, limit: limit)
        guard case .apps(let page) = try await read(query, lane: Self.system) else { throw mismatch }
        return page
    }

    package func allowedOrigins() async throws(StoreFailure) -> [AppID: [String]] {
        guard case .origins(let origins) = try await read(.origins, lane: Self.system) else { throw mismatch }
        return origins
    }

    package func keys(_ app: AppID) async throws(StoreFailure) -> [APIKey] {
        guard case .keys(let keys) = try await read(.keys(app), lane: app.text) else { throw mismatch }
        return keys
    }

    package func key(_ app: AppID, _ id: Identifier) async throws(StoreFailure) -> APIKey? {
        guard case .keys(let keys) = try await read(.key(app, id), lane: app.text) else { throw mismatch }
        return keys.first
    }

    package func credential(_ id: Identifier) async throws(StoreFailure) -> Credential? {
        guard case .credential(let found) = try await read(.credential(id), lane: Self.system) else { throw mismatch }
        return found
    }

    package func events(
        _ app: AppID, _ filter: EventFilter, types: [EventType]?, after: Int64, limit: Int
    ) async throws(StoreFailure) -> EventPage? {
        let query = Query.events(app, filter, types: types, after: after, limit: limit)
        guard case .events(let page) = try await read(query, lane: app.text) else { throw mismatch }
        return page
    }

    package func heads(_ apps: [AppID]) async throws(StoreFailure) -> [AppID: FeedHead] {
        guard case .heads(let heads) = try await read(.heads(apps), lane: Self.system) else { throw mismatch }
        return heads
    }

    package func standing(_ app: AppID, guardian: CallerID) async throws(StoreFailure) -> GuardianStanding? {
        let query = Query.guardianStanding(app, guardian)
        guard case .guardianStanding(let standing) = try await read(query, lane: app.text) else { throw mismatch }
        return standing
    }

    package func signingKeys() async throws(StoreFailure) -> StoredSigningKeys {
        guard case .signingKeys(let keys) = try await read(.signingKeys, lane: Self.system) else { throw mismatch }
        return keys
    }

    package func add(_ key: NewSigningKey) async throws(StoreFailure) -> Bool {
        guard case .addedSigningKey(let isThere) = try await read(.addSigningKey(key), lane: Self.system) else {
            throw mismatch
        }
        return isThere
    }

    /// At most `limit` of the app's pending questions whose expiration has passed, the longest overdue first.
    package func overdue(
        _ app: AppID, after: QuestionPosition?, limit: Int
    ) async throws(StoreFailure) -> [QuestionPosition] {
        let query = Query.overdue(app, after: after, limit: limit)
        guard case .overdue(let rows) = try await read(query, lane: app.text) else { throw mismatch }
        return rows
    }

    /// Withdrawn changes of all apps whose questions are still to be looked for.
    package func openWithdrawals() async throws(StoreFailure) -> [OpenWithdrawal] {
        guard case .withdrawals(let rows) = try await read(.withdrawals, lane: Self.looks) else { throw mismatch }
        return rows
    }

    /// Looks at so many of the app's pending questions, in the order of their expiration, for those about a change.
    package func pendingQuestions(
        _ app: AppID, about change: CallerID, after: QuestionPosition?, looking: Int
    ) async throws(StoreFailure) -> PendingQuestions {
        let query = Query.pendingAbout(app, change, after: after, looking: looking)
        guard case .pendingAbout(let found) = try await read(query, lane: app.text) else { throw mismatch }
        return found
    }

    /// At most `limit` of the app's pending questions that nobody was reminded of, whose expiration is at most so many seconds
    /// ahead, and which live longer than that; those that expire next first; with the database's present.
    package func dueReminders(
        _ app: AppID, seconds: Int, after: QuestionPosition?, limit: Int
    ) async throws(StoreFailure) -> (due: [QuestionPosition], now: Instant) {
        let query = Query.dueReminders(app, seconds: seconds, after: after, limit: limit)
        guard case .dueReminders(let due, let now) = try await read(query, lane: app.text) else { throw mismatch }
        return (due, now)
    }

    /// Takes or renews the lease on sweeping an app, for ten seconds; false while another holder has it.
    package func claimSweep(_ app: AppID, holder: Identifier) async throws(StoreFailure) -> Bool {
        let query = Query.sweepClaim(app, holder: holder)
        guard case .sweepClaim(let claimed) = try await read(query, lane: app.text) else { throw mismatch }
        return claimed
    }

    /// Each app that has pending questions with its next expiration, and the database's present.
    package func nextExpirations() async throws(StoreFailure) -> (next: [NextExpiration], now: Instant) {
        guard case .expirations(let next, let now) = try await read(.expirations, lane: Self.looks) else {
            throw mismatch
        }
        return (next, now)
    }

    /// How old the oldest is, in each app, of what is pruned by age; and the database's present.
    package func oldestKept() async throws(StoreFailure) -> (oldest: [OldestKept], now: Instant) {
        guard case .oldestKept(let oldest, let now) = try await read(.oldestKept, lane: Self.looks) else {
            throw mismatch
        }
        return (oldest, now)
    }

    /// Looks at so many of the app's questions, in the order of their creation, for those that may be dispensable.
    package func oldQuestions(
        _ app: AppID, after: Identifier?, olderThanSeconds seconds: Int, looking: Int
    ) async throws(StoreFailure) -> OldQuestions {
        let query = Query.oldQuestions(app, after: after, olderThanSeconds: seconds, looking: looking)
        guard case .oldQuestions(let found) = try await read(query, lane: app.text) else { throw mismatch }
        return found
    }

    private var mismatch: StoreFailure { .broken(sqlState: nil) }
}
