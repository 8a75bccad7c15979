import Consent
import Postgres

/// Reads a query's results into what it came to.
enum QueryDecoding {
    static func decode(_ query: Query, _ results: ArraySlice<ResultSet>) throws(DatabaseError) -> QueryResult {
        guard let first = results.first else {
            throw DatabaseError(.protocolViolation, detail: "a query without results")
        }
        let second = results.dropFirst().first
        switch query {
        case .question, .questions, .access:
            throw DatabaseError(.protocolViolation, detail: "questions and access are read by the plan itself")
        case .counts: return .counts(try counts(first))
        case .answers:
            return .answers(
                first.isEmpty ? nil : try rows(second) { row throws(DatabaseError) in try AnswerTable.decode(row) })
        case .answersOfMany:
            var answers: [Identifier: [GuardianAnswer]] = [:]
            for index in 0..<first.count {
                let answer = try AnswerTable.decode(first[index], from: 1)
                answers[try first[index].identifier(0), default: []].append(answer)
            }
            return .answersOfMany(answers)
        case .person: return .person(try first.first.map { row throws(DatabaseError) in try PersonTable.decode(row) })
        case .guardians(_, let person):
            guard !first.isEmpty else { return .guardians(nil) }
            return .guardians(
                try rows(second) { row throws(DatabaseError) in
                    GuardianLink(person: person, guardian: try row.callerID(0), createdAt: try row.instant(1))
                })
        case .acknowledgments:
            guard !first.isEmpty else { return .acknowledgments(nil) }
            return .acknowledgments(
                try rows(second) { row throws(DatabaseError) in try AcknowledgmentTable.decode(row) })
        case .acknowledgment:
            return .acknowledgment(
                try first.first.map { row throws(DatabaseError) in try AcknowledgmentTable.decode(row) })
        case .rescissions:
            guard !first.isEmpty else { return .rescissions(nil) }
            return .rescissions(try rows(second) { row throws(DatabaseError) in try RescissionTable.decode(row) })
        case .change: return .change(try first.first.map { row throws(DatabaseError) in try ChangeTable.decode(row) })
        case .preview(_, let settings): return .preview(try preview(settings, first, second))
        case .progress: return .progress(first.isEmpty ? nil : try progress(second, results.dropFirst(2).first))
        case .changes(_, _, let limit):
            let all = try rows(first) { row throws(DatabaseError) in try ChangeTable.decode(row) }
            return .changes(Page(rows: Array(all.prefix(limit)), more: all.count > limit))
        case .ageRatings(_, _, _, _, let limit):
            let all = try rows(first) { row throws(DatabaseError) in try AgeRatingTable.decode(row) }
            return .ageRatings(Page(rows: Array(all.prefix(limit)), more: all.count > limit))
        case .ageRating:
            return .ageRating(try first.first.map { row throws(DatabaseError) in try AgeRatingTable.decode(row) })
        case .ageRatingSteps(_, _, _, let limit):
            guard !first.isEmpty else { return .ageRatingSteps(nil) }
            let all = try rows(second) { row throws(DatabaseError) in try AgeRatingTable.decodeStep(row) }
            return .ageRatingSteps(Page(rows: Array(all.prefix(limit)), more: all.count > limit))
        case .storeNotifications(_, _, _, let limit):
            let all = try rows(first) { row throws(DatabaseError) in try StoreNotificationTable.record(row) }
            return .storeNotifications(Page(rows: Array(all.prefix(limit)), more: all.count > limit))
        case .storeNotification:
            return .storeNotification(
                try first.first.map { row throws(DatabaseError) in try StoreNotificationTable.record(row) })
        case .storeAccounts:
            guard !first.isEmpty else { return .storeAccounts(nil) }
            let all = try rows(second) { row throws(DatabaseError) in try StoreAccountTable.decode(row) }
            return .storeAccounts(all.compactMap { $0 })
        case .app: return .app(try first.first.map { row throws(DatabaseError) in try AppTable.decode(row) })
        case .apps(_, let limit):
            let all = try rows(first) { row throws(DatabaseError) in try AppTable.decode(row) }
            return .apps(Page(rows: Array(all.prefix(limit)), more: all.count > limit))
        case .origins: return .origins(try origins(first))
        case .keys: return .keys(try rows(first) { row throws(DatabaseError) in try KeyTable.decode(row) })
        case .key(_, let id):
            let all = try rows(first) { row throws(DatabaseError) in try KeyTable.decode(row) }
            return .keys(all.filter { $0.id == id })
        case .credential:
            return .credential(
                try first.first.map { row throws(DatabaseError) in try KeyTable.decodeCredential(row) })
        case .events(let app, let filter, _, let after, _):
            return .events(try events(app, filter, after, results))
        case .heads: return .heads(try heads(first))
        case .webhook(let query): return .webhook(try query.decode(results))
        case .signingKeys:
            let keys = try rows(first) { row throws(DatabaseError) in try SigningKeyTable.decode(row) }
            return .signingKeys(StoredSigningKeys(keys: keys, now: try moment(second)))
        case .addSigningKey: return .addedSigningKey(!first.isEmpty)
        case .guardianStanding: return .guardianStanding(try first.first.map(standing))
        case .overdue: return .overdue(try positions(first))
        case .withdrawals:
            return .withdrawals(
                try rows(first) { row throws(DatabaseError) in
                    OpenWithdrawal(app: try row.appID(0), change: try row.callerID(1))
                })
        case .pendingAbout(_, _, _, let looking): return .pendingAbout(try pendingAbout(first, looking: looking))
        case .dueReminders: return .dueReminders(try positions(first), now: try moment(second))
        case .sweepClaim: return .sweepClaim(!first.isEmpty)
        case .expirations:
            let next = try rows(first) { row throws(DatabaseError) in
                NextExpiration(app: try row.appID(0), at: try row.instant(1))
            }
            return .expirations(next, now: try moment(second))
        case .oldestKept:
            let oldest = try rows(first) { row throws(DatabaseError) in
                OldestKept(
                    app: try row.appID(0), reply: try row.instantOrNil(1), event: try row.instantOrNil(2),
                    notification: try row.instantOrNil(3), delivery: try row.instantOrNil(4),
                    ticket: try row.instantOrNil(5))
            }
            return .oldestKept(oldest, now: try moment(second))
        case .oldQuestions(_, _, _, let looking): return .oldQuestions(try oldQuestions(first, looking: looking))
        }
    }

    private static func pendingAbout(_ result: ResultSet, looking: Int) throws(DatabaseError) -> PendingQuestions {
        var ids: [Identifier] = []
        for index in 0..<result.count where try result[index].bool(2) { ids.append(try result[index].identifier(1)) }
        guard looking > 0, result.count == looking else { return PendingQuestions(ids: ids, next: nil) }
        let last = result[looking - 1]
        return PendingQuestions(
            ids: ids, next: QuestionPosition(expiration: try last.instant(0), id: try last.identifier(1)))
    }

    private static func oldQuestions(_ result: ResultSet, looking: Int) throws(DatabaseError) -> OldQuestions {
        var ids: [Identifier] = []
        for index in 0..<result.count where try result[index].bool(1) { ids.append(try result[index].identifier(0)) }
        guard looking > 0, result.count == looking, try result[looking - 1].bool(2) else {
            return OldQuestions(ids: ids, next: nil)
        }
        return OldQuestions(ids: ids, next: try result[looking - 1].identifier(0))
    }

    private static func positions(_ result: ResultSet) throws(DatabaseError) -> [QuestionPosition] {
        try rows(result) { row throws(DatabaseError) in
            QuestionPosition(expiration: try row.instant(0), id: try row.identifier(1))
        }
    }

    private static func moment(_ clock: ResultSet?) throws(DatabaseError) -> Instant {
        guard let row = clock?.first else {
            throw DatabaseError(.protocolViolation, detail: "a clock without a time")
        }
        return try row.instant(0)
    }

    private static func rows<Value>(
        _ result: ResultSet?, _ decode: (Row) throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> [Value] {
        guard let result else { return [] }
        var values: [Value] = []
        values.reserveCapacity(result.count)
        for index in 0..<result.count { values.append(try decode(result[index])) }
        return values
    }

    /// Decides once for all persons of whom the same is known.
    private static func preview(
        _ settings: ChangeSettings, _ app: ResultSet, _ groups: ResultSet?
    ) throws(DatabaseError) -> ChangePreview? {
        guard let row = app.first, let groups else { return nil }
        let policy = try AppTable.decode(row).settings.policy
        let change = ChangeInEffect(unregistered: settings)
        var preview = ChangePreview()
        for index in 0..<groups.count {
            let facts = try PersonTable.facts(groups[index], 1)
            preview.add(facts, count: Int(try groups[index].int8(0)), change: change, policy: policy)
        }
        return preview
    }

    private static func progress(
        _ counters: ResultSet?, _ total: ResultSet?
    ) throws(DatabaseError) -> ChangeProgress {
        guard let counters, let row = total?.first else {
            throw DatabaseError(.protocolViolation, detail: "a change's progress without its counters")
        }
        var questions = Dictionary(uniqueKeysWithValues: QuestionState.allCases.map { ($0, 0) })
        var acknowledged = 0
        for index in 0..<counters.count {
            let count = Int(try counters[index].int8(1))
            if let state = try counters[index].name(0, as: ProgressStatus.self).state {
                questions[state] = count
            } else {
                acknowledged = count
            }
        }
        return ChangeProgress(persons: Int(try row.int8(0)), questions: questions, acknowledged: acknowledged)
    }

    private static func counts(_ result: ResultSet) throws(DatabaseError) -> [QuestionState: Int] {
        var counts = Dictionary(uniqueKeysWithValues: QuestionState.allCases.map { ($0, 0) })
        for index in 0..<result.count {
            counts[try result[index].name(0)] = Int(try result[index].int8(1))
        }
        return counts
    }

    private static func origins(_ result: ResultSet) throws(DatabaseError) -> [AppID: [String]] {
        var origins: [AppID: [String]] = [:]
        for index in 0..<result.count {
            origins[try result[index].appID(0)] = try result[index].plainTextsOrNil(1)
        }
        return origins
    }

    private static func heads(_ result: ResultSet) throws(DatabaseError) -> [AppID: FeedHead] {
        var heads: [AppID: FeedHead] = [:]
        for index in 0..<result.count {
            let row = result[index]
            heads[try row.appID(0)] = FeedHead(feed: try row.text(1), seq: try row.int8(2), pruned: try row.int8(3))
        }
        return heads
    }

    private static func standing(_ row: Row) throws(DatabaseError) -> GuardianStanding {
        GuardianStanding(
            head: FeedHead(feed: try row.text(0), seq: try row.int8(1), pruned: try row.int8(2)),
            persons: Set(try row.identifiers(3)))
    }

    private static func events(
        _ app: AppID, _ filter: EventFilter, _ after: Int64, _ results: ArraySlice<ResultSet>
    ) throws(DatabaseError) -> EventPage? {
        let results = Array(results.prefix(filter.namesSomething ? 4 : 3))
        guard results.count >= 3, let appRow = results[0].first else { return nil }
        // Of what a filter names there must be one.
        if filter.namesSomething, results.count < 4 || results[2].isEmpty { return nil }
        let feed = try AppTable.feed(appRow)
        let events = try rows(results[1]) { row throws(DatabaseError) in
            try EventTable.decode(row, app: app, feed: feed)
        }
        let pruned = try results.last?.first?.int8(0) ?? 0
        return EventPage(feed: feed, events: events, last: events.last?.seq ?? after, pruned: pruned)
    }
}

extension EventFilter {
    /// Whether it is about something that must be there; a guardian is known by their links alone.
    fileprivate var namesSomething: Bool {
        switch self {
        case .all, .guardian: false
        case .question, .person, .personRef: true
        }
    }
}
