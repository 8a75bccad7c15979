import Consent

/// One read, as a value: equal queries that wait together are run once. Wide cases are indirect, here and in what it comes to, since
/// both pass through many hands.
enum Query: Sendable, Hashable {
    case question(AppID, Identifier)
    indirect case questions(AppID, QuestionFilter, after: QuestionPosition?, limit: Int)
    indirect case counts(AppID, QuestionFilter)
    case answers(AppID, Identifier)
    case answersOfMany(AppID, [Identifier])
    case person(AppID, CallerID)
    case guardians(AppID, CallerID)
    case acknowledgments(AppID, CallerID)
    indirect case acknowledgment(AppID, AcknowledgmentPair)
    case rescissions(AppID, CallerID)
    case access(AppID, [CallerID])
    case change(AppID, CallerID)
    case progress(AppID, CallerID)
    indirect case preview(AppID, ChangeSettings)
    case changes(AppID, after: CallerID?, limit: Int)
    indirect case ageRatings(AppID, Storefront?, OriginalVersion.Environment?, after: AgeRatingScope?, limit: Int)
    indirect case ageRating(AppID, AgeRatingScope)
    indirect case ageRatingSteps(AppID, AgeRatingScope, after: Int, limit: Int)
    indirect case storeNotifications(AppID, StoreNotificationFilter, after: Identifier?, limit: Int)
    case storeNotification(AppID, Identifier)
    case storeAccounts(AppID, CallerID)
    case app(AppID)
    case apps(after: AppID?, limit: Int)
    case origins
    case keys(AppID)
    case key(AppID, Identifier)
    case credential(Identifier)
    indirect case events(AppID, EventFilter, types: [EventType]?, after: Int64, limit: Int)
    case heads([AppID])
    indirect case webhook(WebhookQuery)
    case signingKeys
    indirect case addSigningKey(NewSigningKey)
    case guardianStanding(AppID, CallerID)
    case overdue(AppID, after: QuestionPosition?, limit: Int)
    case dueReminders(AppID, seconds: Int, after: QuestionPosition?, limit: Int)
    case sweepClaim(AppID, holder: Identifier)
    case withdrawals
    case pendingAbout(AppID, CallerID, after: QuestionPosition?, looking: Int)
    case expirations
    case oldestKept
    case oldQuestions(AppID, after: Identifier?, olderThanSeconds: Int, looking: Int)

    /// Whether it may walk over a whole app or is about many persons, so that what is quick must not wait for it.
    var isLong: Bool {
        switch self {
        case .counts, .dueReminders, .progress, .preview, .oldQuestions: true
        case .access(_, let persons): persons.count > 32
        // With two filters it may walk over all that fits one of them.
        case .storeNotifications: true
        default: false
        }
    }

    /// A few index look-ups, however large the app: nobody notices to have waited behind it, so an event loop may read it itself.
    var isQuick: Bool {
        switch self {
        case .question, .answers, .answersOfMany, .person, .guardians, .acknowledgments, .acknowledgment, .rescissions,
            .change, .storeNotification, .storeAccounts, .ageRating, .app, .keys, .key, .credential, .heads,
            .signingKeys,
            .guardianStanding:
            true
        case .access(_, let persons): persons.count <= 4
        // Every row that is looked at is on the page, or one person's.
        case .questions(_, let filter, _, _):
            filter.guardian == nil && filter.topic == nil && filter.change == nil && filter.expiringBefore == nil
                && filter.createdAfter == nil
                && (filter.person != nil || filter.state == nil || filter.state == .pending)
        case .counts, .events, .changes, .preview, .progress, .ageRatings, .ageRatingSteps, .storeNotifications, .apps,
            .origins, .webhook, .addSigningKey, .overdue, .withdrawals, .pendingAbout, .dueReminders, .sweepClaim,
            .expirations, .oldestKept, .oldQuestions:
            false
        }
    }

    /// A rough share of a batch, in rows to be read.
    var cost: Int {
        switch self {
        case .questions, .answersOfMany, .events, .changes, .ageRatings, .ageRatingSteps, .apps, .overdue,
            .pendingAbout,
            .dueReminders, .progress, .storeNotifications:
            64
        case .oldQuestions(_, _, _, let looking): looking
        case .webhook: 64
        case .counts, .preview: 1_024
        // A look-up for each change, and there may be hundreds.
        case .access(_, let persons): 1_024 * persons.count
        case .question, .answers, .person, .guardians, .acknowledgments, .acknowledgment, .rescissions, .change,
            .storeNotification, .storeAccounts, .ageRating, .app, .origins, .keys, .key, .credential, .expirations,
            .oldestKept, .sweepClaim,
            .withdrawals, .heads, .signingKeys, .addSigningKey, .guardianStanding:
            1
        }
    }
}

/// What a query came to.
enum QueryResult: Sendable {
    case question(QuestionRecord?)
    indirect case questions(QuestionPage)
    case counts([QuestionState: Int])
    case answers([GuardianAnswer]?)
    case answersOfMany([Identifier: [GuardianAnswer]])
    indirect case person(Person?)
    case guardians([GuardianLink]?)
    case acknowledgments([Acknowledgment]?)
    indirect case acknowledgment(Acknowledgment?)
    case rescissions([Rescission]?)
    /// In the order asked; nil for a person who is not known.
    case access([AccessDecision?])
    indirect case change(Change?)
    indirect case progress(ChangeProgress?)
    indirect case preview(ChangePreview?)
    indirect case changes(Page<Change>)
    indirect case ageRatings(Page<AgeRating>)
    indirect case ageRating(AgeRating?)
    indirect case ageRatingSteps(Page<AgeRatingStep>?)
    indirect case storeNotifications(Page<StoreNotificationRecord>)
    indirect case storeNotification(StoreNotificationRecord?)
    case storeAccounts([RegisteredAccount]?)
    indirect case app(App?)
    indirect case apps(Page<App>)
    case origins([AppID: [String]])
    case keys([APIKey])
    case credential(Credential?)
    indirect case events(EventPage?)
    case heads([AppID: FeedHead])
    indirect case webhook(WebhookResult)
    case signingKeys(StoredSigningKeys)
    /// Whether the key is there.
    case addedSigningKey(Bool)
    case guardianStanding(GuardianStanding?)
    case overdue([QuestionPosition])
    case dueReminders([QuestionPosition], now: Instant)
    case sweepClaim(Bool)
    case withdrawals([OpenWithdrawal])
    case pendingAbout(PendingQuestions)
    case expirations([NextExpiration], now: Instant)
    case oldestKept([OldestKept], now: Instant)
    case oldQuestions(OldQuestions)
}
