import Consent
import Postgres

/// The statements that answer a batch of queries, and how to read their results.
struct QueryPlan {
    private(set) var flight = Flight()
    /// Where each query's results start; single questions have a statement in common instead.
    private var places: [Query: Int] = [:]
    private var questions: [Identifier] = []
    private var questionApp: AppID?
    private var questionPlace: Int?
    /// Decisions about access have statements in common too.
    private var access: AccessPlan?

    private static let clock = Statement("query_clock", "select clock_timestamp()")

    mutating func add(_ query: Query) {
        if case .question(let app, let id) = query {
            questionApp = app
            questions.append(id)
            return
        }
        if case .access(let app, let persons) = query {
            var plan = access ?? AccessPlan(app)
            plan.add(persons)
            access = plan
            return
        }
        guard places[query] == nil else { return }
        places[query] = place(query)
    }

    private mutating func place(_ query: Query) -> Int {
        switch query {
        case .question, .access: return flight.count
        case .questions(let app, let filter, let after, let limit):
            return QuestionQueries.add(app, filter, after: after, limit: limit, to: &flight)
        case .counts(let app, let filter): return QuestionQueries.addCounts(app, filter, to: &flight)
        case .answers(let app, let id):
            let first = flight.add(QuestionTable.byID, binds(app) { $0.append(identifiers: [id]) })
            flight.add(AnswerTable.ofQuestion, binds(app) { $0.append(id) })
            return first
        case .answersOfMany(let app, let ids):
            return flight.add(AnswerTable.ofQuestions, binds(app) { $0.append(identifiers: ids) })
        case .person(let app, let id): return flight.add(PersonTable.byID, binds(app) { $0.append(id) })
        case .guardians(let app, let id):
            let first = flight.add(PersonTable.byID, binds(app) { $0.append(id) })
            flight.add(GuardianLinkTable.ofPerson, binds(app) { $0.append(id) })
            return first
        case .acknowledgments(let app, let id):
            let first = flight.add(PersonTable.byID, binds(app) { $0.append(id) })
            flight.add(AcknowledgmentTable.ofPerson, binds(app) { $0.append(id) })
            return first
        case .acknowledgment(let app, let pair):
            let names = binds(app) {
                $0.append(ids: [pair.person])
                $0.append(ids: [pair.change])
            }
            return flight.add(AcknowledgmentTable.ofPairs, names)
        case .rescissions(let app, let id):
            let first = flight.add(PersonTable.byID, binds(app) { $0.append(id) })
            flight.add(RescissionTable.ofPersons, binds(app) { $0.append(ids: [id]) })
            return first
        case .change(let app, let id): return flight.add(ChangeTable.byID, binds(app) { $0.append(id) })
        case .preview(let app, _):
            let first = flight.add(AppTable.byID, binds(app) { _ in })
            flight.add(PersonGroupTable.ofApp, binds(app) { _ in })
            return first
        case .progress(let app, let change):
            let first = flight.add(ChangeTable.byID, binds(app) { $0.append(change) })
            flight.add(ChangeProgressTable.ofChange, binds(app) { $0.append(change) })
            flight.add(PersonGroupTable.total, binds(app) { _ in })
            return first
        case .changes(let app, let after, let limit):
            let position = binds(app) {
                $0.append(text: after?.text ?? "")
                $0.append(int8: Int64(limit) + 1)
            }
            return flight.add(ChangeTable.page, position)
        case .ageRatings(let app, let storefront, let environment, let after, let limit):
            let position = binds(app) {
                $0.append(text: after?.storefront.code ?? "")
                $0.append(text: after?.environment.rawValue ?? "")
                $0.append(text: storefront?.code)
                $0.append(text: environment?.rawValue)
                $0.append(int8: Int64(limit) + 1)
            }
            return flight.add(AgeRatingTable.page, position)
        case .ageRating(let app, let scope): return flight.add(AgeRatingTable.byScope, AgeRatingTable.binds(app, scope))
        case .ageRatingSteps(let app, let scope, let after, let limit):
            var position = AgeRatingTable.binds(app, scope)
            let first = flight.add(AgeRatingTable.byScope, position)
            position.append(int4: Int32(clamping: after))
            position.append(int8: Int64(limit) + 1)
            flight.add(AgeRatingTable.steps, position)
            return first
        case .storeNotifications(let app, let filter, let after, let limit):
            return StoreNotificationTable.add(app, filter, after: after, limit: limit, to: &flight)
        case .storeNotification(let app, let id):
            return flight.add(StoreNotificationTable.byID, binds(app) { $0.append(id) })
        case .storeAccounts(let app, let id):
            let first = flight.add(PersonTable.byID, binds(app) { $0.append(id) })
            flight.add(StoreAccountTable.ofPersons, binds(app) { $0.append(ids: [id]) })
            return first
        case .app(let app): return flight.add(AppTable.byID, binds(app) { _ in })
        case .apps(let after, let limit):
            var binds = Parameters()
            binds.append(text: after?.text ?? "")
            binds.append(int8: Int64(limit) + 1)
            return flight.add(AppTable.page, binds)
        case .origins: return flight.add(AppTable.origins)
        case .keys(let app), .key(let app, _): return flight.add(KeyTable.ofApp, binds(app) { _ in })
        case .credential(let id):
            var binds = Parameters()
            binds.append(id)
            return flight.add(KeyTable.credential, binds)
        case .events(let app, let filter, let types, let after, let limit):
            return addEvents(app, filter, types, after, limit)
        case .heads(let apps):
            var binds = Parameters()
            binds.append(texts: apps.map(\.text))
            return flight.add(AppTable.heads, binds)
        case .webhook(let query): return query.add(to: &flight)
        case .signingKeys:
            let first = flight.add(SigningKeyTable.all)
            flight.add(Self.clock)
            return first
        case .addSigningKey(let key): return flight.add(SigningKeyTable.add, SigningKeyTable.adding(key))
        case .guardianStanding(let app, let guardian):
            return flight.add(GuardianLinkTable.standing, binds(app) { $0.append(guardian) })
        case .overdue(let app, let after, let limit):
            let position = binds(app) {
                $0.append(int8: Int64(limit))
                $0.append(timestamp: after?.expiration?.microseconds ?? .min)
                $0.append(after?.id ?? Identifier(high: 0, low: 0))
            }
            return flight.add(QuestionQueries.overdue, position)
        case .withdrawals: return flight.add(ChangeTable.openWithdrawals)
        case .pendingAbout(let app, let change, let after, let looking):
            let position = binds(app) {
                $0.append(int8: Int64(looking))
                $0.append(timestamp: after?.expiration?.microseconds ?? .min)
                $0.append(after?.id ?? Identifier(high: 0, low: 0))
                $0.append(change)
            }
            return flight.add(QuestionQueries.pendingAbout, position)
        case .dueReminders(let app, let seconds, let after, let limit):
            let position = binds(app) {
                $0.append(int8: Int64(limit))
                $0.append(timestamp: after?.expiration?.microseconds ?? .min)
                $0.append(after?.id ?? Identifier(high: 0, low: 0))
                $0.append(int8: Int64(seconds))
            }
            let first = flight.add(QuestionQueries.dueReminders, position)
            flight.add(Self.clock)
            return first
        case .sweepClaim(let app, let holder):
            return flight.add(SweepLeaseTable.claim, binds(app) { $0.append(holder) })
        case .expirations:
            let first = flight.add(QuestionQueries.expirations)
            flight.add(Self.clock)
            return first
        case .oldestKept:
            let first = flight.add(AppTable.oldestKept)
            flight.add(Self.clock)
            return first
        case .oldQuestions(let app, let after, let seconds, let looking):
            let position = binds(app) {
                $0.append(after ?? Identifier(high: 0, low: 0))
                $0.append(int8: Int64(looking))
                $0.append(int8: Int64(seconds))
            }
            return flight.add(QuestionTable.old, position)
        }
    }

    private mutating func addEvents(
        _ app: AppID, _ filter: EventFilter, _ types: [EventType]?, _ after: Int64, _ limit: Int
    ) -> Int {
        let first = flight.add(AppTable.byID, binds(app) { _ in })
        var page = binds(app) {
            $0.append(int8: after)
            $0.append(int8: Int64(limit))
            if let types { $0.append(texts: types.map(\.rawValue)) } else { $0.appendNull() }
        }
        switch filter {
        case .all: flight.add(EventTable.page, page)
        case .question(let id):
            page.append(id)
            flight.add(EventTable.pageOfQuestion, page)
            flight.add(QuestionTable.byID, binds(app) { $0.append(identifiers: [id]) })
        case .person(let id):
            page.append(id)
            flight.add(EventTable.pageOfPerson, page)
            flight.add(PersonTable.byID, binds(app) { $0.append(id) })
        case .personRef(let ref):
            page.append(ref)
            flight.add(EventTable.pageOfRef, page)
            flight.add(PersonTable.byRef, binds(app) { $0.append(ref) })
        case .guardian(let guardian, let personRef, let question):
            page.append(guardian)
            page.append(uuid: personRef?.halves)
            page.append(uuid: question?.halves)
            flight.add(EventTable.pageOfGuardian, page)
        }
        // Read last: what is taken away after the page was read makes a needless reset, never a gap that nobody notices.
        flight.add(EventTable.pruned, binds(app) { _ in })
        return first
    }

    private func binds(_ app: AppID, _ fill: (inout Parameters) -> Void) -> Parameters {
        var binds = Parameters()
        binds.append(app)
        fill(&binds)
        return binds
    }

    /// Adds what the queries share; nothing can be added after it.
    mutating func close() {
        access?.close(&flight)
        guard let questionApp, questionPlace == nil else { return }
        questionPlace = flight.add(QuestionQueries.byID, binds(questionApp) { $0.append(identifiers: questions) })
    }

    /// Reads all results; what comes back answers each query of the plan, once it has what it misses.
    func answers(_ results: [ResultSet], _ shelf: QuestionShelf) throws(DatabaseError) -> QueryAnswers {
        guard results.count == flight.count else {
            throw DatabaseError(.protocolViolation, detail: "a flight came back with fewer results than statements")
        }
        var answers = QueryAnswers()
        var listed: ListedQuestions?
        for (query, place) in places {
            if case .questions(let app, let filter, _, let limit) = query {
                var lists = listed ?? ListedQuestions(app)
                try lists.add(query, filter, limit: limit, results[place])
                listed = lists
            } else {
                answers.others[query] = try QueryDecoding.decode(query, results[place...])
            }
        }
        if let listed { answers.add(listed, from: shelf) }
        if let access { answers.access = try access.decisions(results) }
        if let questionApp, let questionPlace {
            let result = results[questionPlace]
            for index in 0..<result.count {
                let record = try QuestionQueries.record(result[index], questionApp)
                answers.questions[record.question.id] = record
            }
        }
        return answers
    }
}

/// What a batch of queries came to.
struct QueryAnswers {
    var questions: [Identifier: QuestionRecord] = [:]
    var access: [CallerID: AccessDecision] = [:]
    var others: [Query: QueryResult] = [:]
    /// Lists of which rows are yet to be fetched, and how they are.
    private var unfinished: (lists: ListedQuestions, rows: Flight)?

    /// What is to be fetched and added before the queries are answered.
    var missing: Flight? { unfinished?.rows }

    /// Lists, with what the shelf has of their rows.
    mutating func add(_ lists: ListedQuestions, from shelf: QuestionShelf) {
        var lists = lists
        if let rows = lists.fill(from: shelf) {
            unfinished = (lists, rows)
        } else {
            others.merge(lists.pages()) { $1 }
        }
    }

    /// What `missing` fetched, which comes on the shelf too.
    mutating func add(_ results: [ResultSet], to shelf: QuestionShelf) throws(DatabaseError) {
        guard var (lists, _) = unfinished, let rows = results.first else { return }
        try lists.add(rows, to: shelf)
        others.merge(lists.pages()) { $1 }
        unfinished = nil
    }

    /// Nil for a query that was not in the batch.
    func callAsFunction(_ query: Query) -> QueryResult? {
        switch query {
        case .question(_, let id): .question(questions[id])
        case .access(_, let persons): .access(persons.map { access[$0] })
        default: others[query]
        }
    }
}
