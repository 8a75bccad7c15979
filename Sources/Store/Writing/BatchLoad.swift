import Consent
import Postgres

/// The first flight of a batch: begin, make sure of the persons, lock, and then load what the commands are decided on.
///
/// What is decided on, the app's policy too, is loaded by statements after the lock, because what a locking statement
/// joins may be stale; the clock is read last, so that no moment is from before a wait. Statements nobody needs are left out.
struct BatchLoad {
    enum Part {
        case ensured, app, appAndMoment, moment, keys, sharedChanges, lockedChanges, ageRatings, ratingChangeIDs,
            persons
        case idempotency, questions, standing, standingOnChanges, pending, answersOfPersons, links, acknowledgments
        case rescissions, notices, accounts, approvals, refusals, tickets, pruning(Pruning)
        case webhook(WebhookLoad.Part)
    }

    let app: AppID
    let needs: BatchNeeds
    /// Where accounts of the stores are held already.
    let held: HeldAccounts?
    /// All persons are expected to come with the batch. Of those who do there is nothing to lock, and nothing about them is
    /// to be loaded.
    let expectsNewcomers: Bool
    /// The refs that the persons to make sure of get if they are not there.
    let own: [CallerID: Identifier]
    /// In the order in which they are locked.
    private let ensured: [CallerID]
    private let persons: [CallerID]
    /// In the order the standing statement numbers them.
    let subjects: [SubjectName]
    private(set) var flight = Flight()
    private(set) var places: [(part: Part, index: Int)] = []

    private static let moment = Statement("batch_moment", "select clock_timestamp(), pg_current_xact_id()")

    init(_ app: AppID, _ needs: BatchNeeds, _ held: HeldAccounts? = nil, expectsNewcomers: Bool = false) {
        self.app = app
        self.needs = needs
        self.held = held
        self.expectsNewcomers = expectsNewcomers
        let ensured = needs.ensured.sorted()
        let isAllOfEnsured = needs.persons.count == ensured.count
        self.ensured = ensured
        persons = isAllOfEnsured ? ensured : needs.persons.sorted()
        var random = BlockRandom()
        own = Dictionary(uniqueKeysWithValues: ensured.map { ($0, .newRef(using: &random)) })
        subjects = Array(needs.subjects)
        if held == nil { flight.simple(.begin) }
        addLocks()
        addLoads()
        if needs.locksApp {
            add(.moment, Self.moment, Parameters(capacity: 0))
        } else {
            add(.appAndMoment, AppTable.andMoment, binds { _ in })
        }
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
        if !ensured.isEmpty {
            let ensuring = binds {
                $0.append(ids: ensured)
                $0.appendRefs(of: ensured, own)
            }
            add(.ensured, PersonTable.ensure, ensuring)
        }
        if needs.touchesPersons, !expectsNewcomers {
            var names = personsAndQuestions
            names.appendRefs(of: persons, own)
            add(.persons, PersonTable.lock, names)
        }
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
        if !needs.idempotency.isEmpty {
            let names = Array(needs.idempotency)
            let keys = binds {
                $0.append(texts: names.map(\.scope))
                $0.append(texts: names.map(\.key))
            }
            add(.idempotency, IdempotencyTable.ofPairs, keys)
        }
        if !needs.questions.isEmpty {
            add(.questions, QuestionTable.answered, binds { $0.append(identifiers: needs.questions.sorted()) })
        }
        if !subjects.isEmpty, !expectsNewcomers {
            let pairs = binds {
                $0.append(ids: subjects.map(\.person))
                $0.append(texts: subjects.map(\.subject))
                $0.appendRefs(of: subjects.map(\.person), own)
                $0.column(Array(subjects.indices), of: .int4) { $0.append(int4: Int32(clamping: $1)) }
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
        if needs.touchesPersons, needs.readsLinks, !expectsNewcomers {
            add(.links, GuardianLinkTable.ofBatch, personsAndQuestions)
        }
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
            $0.append(ids: persons)
            $0.append(identifiers: needs.questions.union(needs.prunedQuestions).sorted())
        }
    }

    private func binds(_ fill: (inout Parameters) -> Void) -> Parameters {
        var binds = Parameters(capacity: 256)
        binds.append(app)
        fill(&binds)
        return binds
    }
}

extension Parameters {
    /// Binds as a `uuid[]` the persons' refs, null for those who have none.
    fileprivate mutating func appendRefs(of persons: [CallerID], _ refs: [CallerID: Identifier]) {
        column(persons, of: .uuid) { $0.append(uuid: refs[$1]?.halves) }
    }
}
