import Consent
import Postgres

/// The first flight of a batch: begin, make sure of the persons, lock, and then load what the commands are decided on.
///
/// What is decided on, the app's policy too, is loaded by statements after the lock, because what a locking statement
/// joins may be stale; the clock is read last, so that no moment is from before a wait. Statements nobody needs are left out.
struct BatchLoad {
    private enum Part {
        case ensured, app, keys, sharedChanges, lockedChanges, ageRatings, ratingChangeIDs, persons, idempotency
        case questions, standing, standingOnChanges, pending, answers, answersOfPersons, links, acknowledgments
        case rescissions, notices, accounts, approvals, refusals, tickets, clock, pruning(Pruning)
        case webhook(WebhookLoad.Part)
    }

    private let app: AppID
    private let needs: BatchNeeds
    /// Where accounts of the stores are held already.
    private let held: HeldAccounts?
    /// In the order the standing statement numbers them.
    private let subjects: [SubjectName]
    private(set) var flight = Flight()
    private var places: [(part: Part, index: Int)] = []

    private static let clock = Statement("batch_clock", "select clock_timestamp(), pg_current_xact_id()")

    init(_ app: AppID, _ needs: BatchNeeds, _ held: HeldAccounts? = nil) {
        self.app = app
        self.needs = needs
        self.held = held
        subjects = Array(needs.subjects)
        if held == nil { flight.simple(.begin) }
        addLocks()
        addLoads()
        add(.clock, Self.clock, Parameters(capacity: 0))
    }

    private mutating func add(_ part: Part, _ statement: Statement, _ binds: Parameters) {
        places.append((part, flight.add(statement, binds)))
    }

    /// Locks are taken in one order by everybody: stores' accounts, the app, its keys, persons, stores' notices, changes, age
    /// ratings, tickets, webhook endpoints with their places in the log and deliveries, and at the very end the counter.
    private mutating func addLocks() {
        if needs.locksApp { add(.app, AppTable.lock, binds { _ in }) }
        if !needs.keys.isEmpty {
            add(.keys, KeyTable.lock, binds { $0.append(identifiers: needs.keys.sorted()) })
        }
        if !needs.ensured.isEmpty {
            let ids = needs.ensured.sorted()
            let ensuring = binds {
                $0.append(ids: ids)
                $0.append(identifiers: ids.map { _ in Identifier.newRef() })
            }
            add(.ensured, PersonTable.ensure, ensuring)
        }
        if needs.touchesPersons { add(.persons, PersonTable.lock, personsAndQuestions) }
        if let held { addNotices(held) }
        if !needs.sharedChanges.isEmpty || !needs.sharedByQuestions.isEmpty || !needs.askedAll.isEmpty {
            let names = binds {
                $0.append(ids: needs.sharedChanges.sorted())
                $0.append(identifiers: needs.sharedByQuestions.sorted())
            }
            add(.sharedChanges, needs.askedAll.isEmpty ? ChangeTable.share : ChangeTable.shareAll, names)
        }
        if !needs.lockedChanges.isEmpty {
            add(.lockedChanges, ChangeTable.lock, binds { $0.append(ids: needs.lockedChanges.sorted()) })
        }
        if !needs.ageRatings.isEmpty {
            let scopes = needs.ageRatings.sorted()
            let names = binds {
                $0.append(texts: scopes.map(\.storefront.code))
                $0.append(texts: scopes.map(\.environment.rawValue))
            }
            add(.ageRatings, AgeRatingTable.lock, names)
        }
        if !needs.tickets.isEmpty {
            add(.tickets, StreamTicketTable.lock, binds { $0.append(byteas: Array(needs.tickets)) })
        }
        for (part, statement, binds) in WebhookLoad.statements(app, needs.webhooks) {
            add(.webhook(part), statement, binds)
        }
    }

    private mutating func addNotices(_ held: HeldAccounts) {
        let names = binds {
            $0.append(texts: needs.notices.map(\.store.rawValue))
            $0.append(byteas: needs.notices.map { held.identities[$0.identity] })
            $0.append(identifiers: needs.namedNotices.sorted())
            $0.append(byteas: held.rows.keys.map(\.digest))
        }
        add(.notices, StoreNotificationTable.lock, names)
    }

    private mutating func addLoads() {
        if !needs.locksApp { add(.app, AppTable.byID, binds { _ in }) }
        if !needs.idempotency.isEmpty {
            let names = Array(needs.idempotency)
            let keys = binds {
                $0.append(texts: names.map(\.scope))
                $0.append(texts: names.map(\.key))
            }
            add(.idempotency, IdempotencyTable.ofPairs, keys)
        }
        if !needs.questions.isEmpty {
            let ids = binds { $0.append(identifiers: needs.questions.sorted()) }
            add(.questions, QuestionTable.byID, ids)
            add(.answers, AnswerTable.latest, ids)
        }
        if !subjects.isEmpty {
            let pairs = binds {
                $0.append(ids: subjects.map(\.person))
                $0.append(texts: subjects.map(\.subject))
            }
            add(.standing, QuestionTable.standing, pairs)
        }
        if !needs.askedAll.isEmpty {
            add(.standingOnChanges, QuestionTable.standingOnChanges, binds { $0.append(ids: needs.askedAll.sorted()) })
        }
        if !needs.unlinked.isEmpty {
            let ids = binds { $0.append(ids: needs.unlinked.sorted()) }
            add(.pending, QuestionTable.pendingOfPersons, ids)
            add(.answersOfPersons, AnswerTable.latestOfPersons, ids)
        }
        if !needs.rescinded.isEmpty {
            let ids = binds { $0.append(ids: needs.rescinded.sorted()) }
            add(.pending, QuestionTable.openOfPersons, ids)
            add(.answersOfPersons, AnswerTable.latestOfOpen, ids)
            add(.rescissions, RescissionTable.ofPersons, ids)
        }
        if !needs.judgedByStores.isEmpty {
            let ids = binds { $0.append(ids: needs.judgedByStores.sorted()) }
            add(.accounts, StoreAccountTable.ofPersons, ids)
            add(.approvals, AnswerTable.lastApprovals, ids)
        }
        if !needs.approvedByStores.isEmpty {
            let ids = binds { $0.append(ids: needs.approvedByStores.sorted()) }
            add(.refusals, QuestionTable.lastRefusals, ids)
        }
        if needs.touchesPersons, needs.readsLinks { add(.links, GuardianLinkTable.ofBatch, personsAndQuestions) }
        if !needs.acknowledgments.isEmpty {
            let pairs = Array(needs.acknowledgments)
            let names = binds {
                $0.append(ids: pairs.map(\.person))
                $0.append(ids: pairs.map(\.change))
            }
            add(.acknowledgments, AcknowledgmentTable.ofPairs, names)
        }
        if !needs.ageRatings.isEmpty {
            let prefixes = binds { $0.append(texts: Set(needs.ageRatings.map(\.changePrefix)).sorted()) }
            add(.ratingChangeIDs, AgeRatingTable.changeIDs, prefixes)
        }
        for pruning in needs.prunings { add(pruning) }
    }

    private mutating func add(_ pruning: Pruning) {
        switch pruning {
        case .replies(let seconds, let limit):
            add(.pruning(pruning), IdempotencyTable.countOld, bounds(seconds, limit))
        case .events(let seconds, let limit):
            add(.pruning(pruning), EventTable.old, bounds(seconds, limit))
        case .questions(let ids, _):
            add(.pruning(pruning), QuestionTable.untold, binds { $0.append(identifiers: ids) })
        case .notifications(let status, let seconds, let limit):
            let bounds = binds {
                $0.append(text: status.rawValue)
                $0.append(int8: Int64(seconds))
                $0.append(int8: Int64(limit))
            }
            add(.pruning(pruning), StoreNotificationTable.countOld, bounds)
        case .deliveries(let seconds, let limit):
            add(.pruning(pruning), WebhookDeliveryTable.countOld, bounds(seconds, limit))
        case .emptyCounters(let limit):
            add(.pruning(pruning), PersonGroupTable.countEmpty, binds { $0.append(int8: Int64(limit)) })
        case .tickets(let limit):
            add(.pruning(pruning), StreamTicketTable.countOld, binds { $0.append(int8: Int64(limit)) })
        }
    }

    private func bounds(_ seconds: Int, _ limit: Int) -> Parameters {
        binds {
            $0.append(int8: Int64(seconds))
            $0.append(int8: Int64(limit))
        }
    }

    private var personsAndQuestions: Parameters {
        binds {
            $0.append(ids: needs.persons.sorted())
            $0.append(identifiers: needs.questions.union(needs.prunedQuestions).sorted())
        }
    }

    private func binds(_ fill: (inout Parameters) -> Void) -> Parameters {
        var binds = Parameters(capacity: 256)
        binds.append(app)
        fill(&binds)
        return binds
    }

    /// Reads the results into the state that the commands are decided on.
    func state(_ results: [ResultSet]) throws(DatabaseError) -> BatchState {
        var state = BatchState(app: app)
        if let held { state.stores.held = held }
        for (part, index) in places {
            guard index < results.count else { throw Self.missing }
            try read(part, results[index], into: &state)
        }
        // Somebody who was there when the person was made sure of, and erased before they could be locked.
        if needs.ensured.contains(where: { state.row($0) == nil }) || isStale(state) {
            throw DatabaseError(.server, sqlState: "40001", detail: "a person was erased meanwhile")
        }
        state.settle()
        return state
    }

    /// Whether an account that is held changed hands before its person was locked, or went before it was.
    private func isStale(_ state: BatchState) -> Bool {
        guard let held else { return false }
        return held.persons.contains { id, ref in needs.persons.contains(id) && state.row(id)?.ref != ref }
            || needs.ensuredAccounts.contains { held.keys[$0].map { held.rows[$0] == nil } ?? true }
    }

    private func read(_ part: Part, _ result: ResultSet, into state: inout BatchState) throws(DatabaseError) {
        for index in 0..<result.count {
            let row = result[index]
            switch part {
            case .ensured: state.created.insert(try row.callerID(0))
            case .app:
                state.appRow = try AppTable.decode(row)
            case .keys:
                let key = try KeyTable.decode(row)
                state.keys[key.id] = key
            case .sharedChanges, .lockedChanges:
                let change = try ChangeTable.decode(row)
                state.changes[change.id] = change
            case .ageRatings:
                let rating = try AgeRatingTable.decode(row)
                state.ageRatings[rating.scope] = rating
            case .ratingChangeIDs: state.ratingChangeIDs.insert(try row.callerID(0))
            case .persons: state.add(try PersonTable.decode(row))
            case .idempotency:
                let (name, kept) = try IdempotencyTable.decode(row)
                state.kept[name] = kept
            case .questions, .pending: state.add(try QuestionTable.decode(row))
            case .standing:
                let number = Int(try row.int8(0)) - 1
                guard subjects.indices.contains(number) else { throw Self.missing }
                let question = try QuestionTable.decode(row, from: 1)
                state.add(question)
                state.standing[subjects[number]] = question.id
                let answer = 1 + QuestionTable.columnCount
                if !row.isNull(answer) { state.add(try AnswerTable.decode(row, from: answer), to: question.id) }
            case .standingOnChanges:
                let (question, answer) = (try QuestionTable.decode(row), QuestionTable.columnCount)
                state.add(standing: question)
                if !row.isNull(answer) { state.add(try AnswerTable.decode(row, from: answer), to: question.id) }
            case .answers, .answersOfPersons:
                state.add(try AnswerTable.decode(row, from: 1), to: try row.identifier(0))
            case .links:
                let link = LinkName(personRef: try row.identifier(0), guardian: try row.callerID(1))
                state.add(link, at: try row.instant(2))
            case .acknowledgments: state.add(try AcknowledgmentTable.decode(row))
            case .rescissions: state.add(try RescissionTable.decode(row))
            case .notices: state.stores.add(try kept(row))
            case .accounts:
                if let account = try StoreAccountTable.decode(row) { state.stores.add(account) }
            case .approvals: state.stores.add(approval: try row.instant(1), of: try row.identifier(0))
            case .refusals:
                state.stores.add(
                    refusal: try row.instant(2), of: try row.callerID(1), by: try row.identifier(0))
            case .tickets:
                let held = try StreamTicketTable.decode(row)
                state.tickets.held[held.ticket.hash] = held
            case .pruning(let pruning): try state.read(pruning, row)
            case .webhook(let part): try state.webhooks.read(part, row, needs.webhooks)
            case .clock:
                state.now = max(state.now, try row.instant(0))
                state.transaction = try row.xid8(1)
            }
        }
    }

    private func kept(_ row: Row) throws(DatabaseError) -> KeptNotice {
        let notification = try StoreNotificationTable.decode(row)
        return KeptNotice(
            notification: notification, identity: try row.bytes(StoreNotificationTable.columnCount),
            account: try row.bytesOrNil(StoreNotificationTable.columnCount + 1).map { AccountKey(digest: $0) },
            person: try row.callerIDOrNil(StoreNotificationTable.columnCount + 2))
    }

    private static var missing: DatabaseError {
        DatabaseError(.protocolViolation, detail: "a flight came back with fewer results than it had statements")
    }
}
