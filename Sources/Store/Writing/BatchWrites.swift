import Consent
import Postgres

/// What a batch writes, gathered as its commands are decided; each row once, in its last form.
struct BatchWrites {
    var persons: [CallerID: Person] = [:]
    var newQuestions: [Question] = []
    var answers: [RecordedAnswer] = []
    var voided: [RecordedAnswer] = []
    var reminded: [Identifier] = []
    var acknowledgments: [Acknowledgment] = []
    /// How much each counter of a change grows.
    var progress: [ProgressName: Int] = [:]
    /// Persons who come to be known as so, or are known so no more.
    var groupMoves: [(facts: PersonFacts, count: Int)] = []
    var keptReplies: [(IdempotencyName, KeptReply)] = []
    var events: [PendingEvent] = []
    /// In order; a change put twice in one batch is written twice.
    var changes: [(change: Change, writing: ChangeWriting)] = []
    /// Withdrawn changes about which no question waits any more.
    var closedWithdrawals: [CallerID] = []
    var ageRatings: [AgeRatingScope: AgeRating] = [:]
    var ratingSteps: [AgeRatingStep] = []
    var apps: [(app: App, feed: String?)] = []
    var newKeys: [(key: APIKey, secretHash: [UInt8])] = []
    var revokedKeys: [APIKey] = []
    var accounts: [AccountKey: RegisteredAccount] = [:]
    /// Accounts that became somebody's in this batch.
    var adopted: [RegisteredAccount] = []
    private(set) var notices: [Identifier: (kept: KeptNotice, payload: [UInt8]?)] = [:]
    /// Kept replies to take away: those before a moment, at most so many.
    var forgets: [(before: Instant, limit: Int)] = []
    /// Through which number the log is taken away.
    var prunedEvents: Int64?
    var prunedQuestions: Set<Identifier> = []
    /// How many counters of each kind may be taken away that count nobody.
    var emptyCounters: Int?
    var tickets = BatchTickets()
    /// Notices to take away: of a status, those that came before a moment, at most so many.
    var prunedNotices: [(status: StoreNotification.Status, before: Instant, limit: Int)] = []
    var webhooks = WebhookWrites()
    private var changedQuestions: [Identifier: Question] = [:]
    private var rescissions: [Rescission] = []
    private var erasures: [Erasure] = []
    private var newLinks: Set<LinkName> = []
    private var oldLinks: Set<LinkName> = []

    /// Nothing happened that is to be kept.
    var isEmpty: Bool {
        events.isEmpty && keptReplies.isEmpty && forgets.isEmpty && closedWithdrawals.isEmpty && persons.isEmpty
            && ageRatings.isEmpty && accounts.isEmpty && notices.isEmpty && prunedNotices.isEmpty
            && prunedEvents == nil && prunedQuestions.isEmpty && emptyCounters == nil && tickets.isEmpty
            && webhooks.isEmpty
    }

    /// A notice to keep; `payload` is nil where that is kept already.
    mutating func keep(_ notice: KeptNotice, payload: [UInt8]?) {
        notices[notice.notification.id] = (notice, payload ?? notices[notice.notification.id]?.payload)
    }

    /// Whether questions of a withdrawn change are to be looked for.
    var withdraws: Bool { changes.contains { $0.writing == .withdraw } }

    mutating func change(_ question: Question) {
        changedQuestions[question.id] = question
    }

    /// Whose persons are erased in this batch.
    var erased: Set<CallerID> { Set(erasures.map(\.person)) }

    /// What was to be written about the person in this batch is written first, and erased with the rest.
    mutating func erase(_ person: Person, _ accounts: [AccountKey]) {
        persons[person.id] = nil
        keptReplies.removeAll { $0.1.resource.names(person.id) }
        erasures.append(Erasure(person, accounts))
    }

    mutating func rescind(_ rescission: Rescission) {
        rescissions.removeAll { $0.personRef == rescission.personRef && $0.number == rescission.number }
        rescissions.append(rescission)
    }

    /// One that was taken away before in the batch is deleted first and inserted anew: it dates from now.
    mutating func link(_ link: LinkName) {
        newLinks.insert(link)
    }

    mutating func unlink(_ link: LinkName) {
        if newLinks.remove(link) == nil { oldLinks.insert(link) }
    }

    /// The second flight, without the commit: rows in key order, the log last.
    func flight(
        _ app: AppID, discarding unused: [CallerID], _ unusedAccounts: [AccountKey], creating new: [Person],
        at now: Instant
    ) -> Flight {
        var flight = Flight()
        addAdministration(app, now, &flight)
        addPersons(app, unused, new, now, &flight)
        addStores(app, unusedAccounts, &flight)
        addQuestions(app, now, &flight)
        if !acknowledgments.isEmpty {
            var binds = start(app)
            binds.column(acknowledgments, of: .uuid) { $0.append(uuid: $1.personRef.halves) }
            binds.column(acknowledgments, of: .text) { $0.append(text: $1.change.text) }
            binds.column(acknowledgments, of: .timestamptz) { $0.append(timestamp: $1.at.microseconds) }
            flight.add(AcknowledgmentTable.insert, binds)
        }
        for rescission in rescissions { flight.add(RescissionTable.put, RescissionTable.binds(app, rescission)) }
        for erasure in erasures { erasure.addRows(app, at: now, to: &flight) }
        webhooks.add(app, at: now, to: &flight)
        tickets.add(app, to: &flight)
        addPruning(app, &flight)
        if !keptReplies.isEmpty {
            flight.add(IdempotencyTable.insert, IdempotencyTable.insertion(app, keptReplies, at: now))
        }
        // The counters everybody writes come last but for the log's, so that they are held no longer than that.
        let progress = progress.filter { $0.value != 0 }
        if !progress.isEmpty { flight.add(ChangeProgressTable.add, ChangeProgressTable.adding(app, progress)) }
        if !groupMoves.isEmpty { flight.add(PersonGroupTable.add, PersonGroupTable.adding(app, groupMoves)) }
        if let prunedEvents {
            var binds = start(app)
            binds.append(int8: prunedEvents)
            flight.add(EventTable.advance, binds)
        }
        if !events.isEmpty { flight.add(EventTable.append, EventTable.appending(app, events, at: now)) }
        for erasure in erasures { erasure.addEvents(app, to: &flight) }
        return flight
    }

    private func addPruning(_ app: AppID, _ flight: inout Flight) {
        for (before, limit) in forgets {
            var binds = start(app)
            binds.append(before)
            binds.append(int8: Int64(limit))
            flight.add(IdempotencyTable.forget, binds)
        }
        if let prunedEvents {
            var binds = start(app)
            binds.append(int8: prunedEvents)
            flight.add(EventTable.prune, binds)
            flight.add(WebhookDeliveryTable.pruneEvents, binds)
        }
        if !prunedQuestions.isEmpty {
            var binds = start(app)
            binds.append(identifiers: prunedQuestions.sorted())
            flight.add(AnswerTable.prune, binds)
            flight.add(QuestionTable.prune, binds)
        }
        for (status, before, limit) in prunedNotices {
            var binds = start(app)
            binds.append(text: status.rawValue)
            binds.append(before)
            binds.append(int8: Int64(limit))
            flight.add(StoreNotificationTable.prune, binds)
        }
        if let emptyCounters {
            var binds = start(app)
            binds.append(int8: Int64(emptyCounters))
            flight.add(ChangeProgressTable.pruneEmpty, binds)
            flight.add(PersonGroupTable.pruneEmpty, binds)
        }
    }

    private func start(_ app: AppID) -> Parameters {
        var binds = Parameters(capacity: 256)
        binds.append(app)
        return binds
    }

    private func addAdministration(_ app: AppID, _ now: Instant, _ flight: inout Flight) {
        for (row, feed) in apps {
            var binds = AppTable.binds(row)
            if let feed { binds.append(text: feed) }
            flight.add(feed == nil ? AppTable.update : AppTable.insert, binds)
        }
        for (key, secretHash) in newKeys {
            flight.add(KeyTable.insert, KeyTable.insertion(key, secretHash: secretHash))
        }
        for key in revokedKeys {
            var binds = Parameters()
            binds.append(key.id)
            binds.append(timestamp: key.revokedAt?.microseconds)
            flight.add(KeyTable.revoke, binds)
        }
        for (change, writing) in changes {
            switch writing {
            case .insert: flight.add(ChangeTable.insert, ChangeTable.binds(app, change))
            case .update: flight.add(ChangeTable.update, ChangeTable.binds(app, change))
            case .withdraw: flight.add(ChangeTable.withdraw, ChangeTable.withdrawing(app, change))
            }
        }
        for change in closedWithdrawals {
            var binds = start(app)
            binds.append(change)
            flight.add(ChangeTable.closeWithdrawal, binds)
        }
        let firstSteps = Set(ratingSteps.lazy.filter { $0.revision == 1 }.map(\.scope))
        for (scope, rating) in ageRatings.sorted(by: { $0.key < $1.key }) {
            let isNew = firstSteps.contains(scope)
            flight.add(isNew ? AgeRatingTable.insert : AgeRatingTable.update, AgeRatingTable.binds(app, rating))
        }
        for step in ratingSteps { flight.add(AgeRatingTable.insertStep, AgeRatingTable.binds(app, step)) }
    }

    private func addPersons(
        _ app: AppID, _ unused: [CallerID], _ new: [Person], _ now: Instant, _ flight: inout Flight
    ) {
        if !unused.isEmpty {
            var binds = start(app)
            binds.append(ids: unused)
            flight.add(PersonTable.discard, binds)
        }
        for erasure in erasures { erasure.addPerson(app, to: &flight) }
        if !new.isEmpty {
            var binds = start(app)
            binds.append(ids: new.map(\.id))
            binds.append(identifiers: new.map(\.ref))
            binds.append(now)
            flight.add(PersonTable.insert, binds)
        }
        if !persons.isEmpty {
            let rows = persons.values.sorted { $0.id < $1.id }
            flight.add(PersonTable.update, PersonTable.updating(app, rows))
        }
        if !oldLinks.isEmpty { flight.add(GuardianLinkTable.delete, links(start(app), oldLinks)) }
        if !newLinks.isEmpty {
            var binds = start(app)
            binds.append(now)
            flight.add(GuardianLinkTable.insert, links(binds, newLinks))
        }
    }

    private func addStores(_ app: AppID, _ unused: [AccountKey], _ flight: inout Flight) {
        if !unused.isEmpty {
            flight.add(StoreAccountTable.discard, StoreAccountTable.discarding(app, unused))
        }
        if !accounts.isEmpty {
            let rows = accounts.values.sorted { $0.account < $1.account }
            flight.add(StoreAccountTable.put, StoreAccountTable.putting(app, rows))
        }
        var settled: [StoreNotification] = []
        for (kept, payload) in notices.values.sorted(by: { $0.kept.notification.id < $1.kept.notification.id }) {
            if let payload {
                flight.add(
                    StoreNotificationTable.put, StoreNotificationTable.putting(app, kept, payload: payload))
            } else {
                settled.append(kept.notification)
            }
        }
        if !settled.isEmpty {
            flight.add(StoreNotificationTable.settle, StoreNotificationTable.settling(app, settled))
        }
        if !adopted.isEmpty {
            flight.add(StoreNotificationTable.adopt, StoreNotificationTable.adopting(app, adopted))
        }
    }

    private func links(_ binds: Parameters, _ links: Set<LinkName>) -> Parameters {
        var binds = binds
        let sorted = links.sorted {
            $0.personRef != $1.personRef ? $0.personRef < $1.personRef : $0.guardian < $1.guardian
        }
        binds.column(sorted, of: .uuid) { $0.append(uuid: $1.personRef.halves) }
        binds.column(sorted, of: .text) { $0.append(text: $1.guardian.text) }
        return binds
    }

    private func addQuestions(_ app: AppID, _ now: Instant, _ flight: inout Flight) {
        if !newQuestions.isEmpty {
            let rows = newQuestions.sorted { $0.id < $1.id }
            flight.add(QuestionTable.insert, QuestionTable.insertion(app, rows, at: now))
        }
        if !changedQuestions.isEmpty {
            let rows = changedQuestions.values.sorted { $0.id < $1.id }
            flight.add(QuestionTable.update, QuestionTable.updating(app, rows))
        }
        if !reminded.isEmpty {
            var binds = start(app)
            binds.append(now)
            binds.append(identifiers: reminded.sorted())
            flight.add(QuestionTable.remind, binds)
        }
        if !answers.isEmpty {
            let rows = answers.sorted {
                $0.question != $1.question ? $0.question < $1.question : $0.answer.revision < $1.answer.revision
            }
            flight.add(AnswerTable.insert, AnswerTable.insertion(app, rows))
        }
        if !voided.isEmpty {
            var binds = start(app)
            binds.append(now)
            binds.column(voided, of: .uuid) { $0.append(uuid: $1.question.halves) }
            binds.column(voided, of: .int4) { $0.append(int4: Int32(clamping: $1.answer.revision)) }
            flight.add(AnswerTable.void, binds)
        }
    }
}
