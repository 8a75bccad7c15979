import Consent
import Postgres

/// What a batch has to lock and load before anything can be decided, gathered from its commands.
struct BatchNeeds {
    /// Persons a command creates when they are not there.
    private(set) var ensured: Set<CallerID> = []
    /// Persons a command names, ensured or not.
    private(set) var persons: Set<CallerID> = []
    private(set) var questions: Set<Identifier> = []
    private(set) var subjects: Set<SubjectName> = []
    /// Persons whose pending questions an unlink or an erasure concerns.
    private(set) var unlinked: Set<CallerID> = []
    /// Persons whose consent is taken back or given again: with every question that this may concern.
    private(set) var rescinded: Set<CallerID> = []
    /// Persons asked about every open change, or for whom a store approved them all: with the newest question about each.
    private(set) var askedAll: Set<CallerID> = []
    private(set) var acknowledgments: Set<AcknowledgmentPair> = []
    /// Changes that must hold still.
    private(set) var sharedChanges: Set<CallerID> = []
    /// Questions whose changes must hold still.
    private(set) var sharedByQuestions: Set<Identifier> = []
    /// Changes to be written.
    private(set) var lockedChanges: Set<CallerID> = []
    /// Age ratings to be written, whether or not they are there.
    private(set) var ageRatings: Set<AgeRatingScope> = []
    private(set) var keys: Set<Identifier> = []
    /// What retention is to take away, and the questions it may concern.
    private(set) var prunings: [Pruning] = []
    private(set) var prunedQuestions: Set<Identifier> = []
    /// Whether the app's own row is to be written, or read by what must not race with that.
    private(set) var locksApp = false
    private(set) var idempotency: Set<IdempotencyName> = []
    /// Notices that stores sent.
    private(set) var notices: [StoreNotice] = []
    /// Notices that a command names by their ids.
    private(set) var namedNotices: Set<Identifier> = []
    /// Stores' accounts that are to be held, whether or not they are there.
    private(set) var ensuredAccounts: Set<StoreAccount> = []
    /// Stores' accounts that are only mentioned.
    private(set) var accounts: Set<StoreAccount> = []
    /// Tickets that somebody came with, by their hashes.
    private(set) var tickets: Set<[UInt8]> = []
    /// Persons to be erased, with all of their stores' accounts.
    private(set) var erased: Set<CallerID> = []
    /// Persons whose stores' accounts and last approval count.
    private(set) var judgedByStores: Set<CallerID> = []
    /// Persons for whom a store approved what changed: with when their guardians last refused each change.
    private(set) var approvedByStores: Set<CallerID> = []
    private(set) var webhooks = WebhookNeeds()
    /// Whether anything hangs on who a person's guardians are; expirations and reminders, all that workers do, hang on none.
    private(set) var readsLinks = false

    /// Whether accounts are to be held before anything else is.
    var touchesStores: Bool {
        !notices.isEmpty || !namedNotices.isEmpty || !ensuredAccounts.isEmpty || !erased.isEmpty
    }

    /// Whether everybody it is about may come with the batch.
    var mayBeOfNewcomers: Bool {
        !ensured.isEmpty && persons.count == ensured.count && questions.isEmpty && prunedQuestions.isEmpty
            && !touchesStores
    }

    var touchesPersons: Bool { !persons.isEmpty || !questions.isEmpty || !prunedQuestions.isEmpty }

    init(_ submissions: some Sequence<Submission>) {
        for submission in submissions {
            add(submission.command)
            switch submission.command {
            case .expire, .remind, .prune, .webhook: break
            default: readsLinks = true
            }
            if let key = submission.idempotency { idempotency.insert(IdempotencyName(scope: key.scope, key: key.key)) }
        }
    }

    private mutating func add(_ command: Command) {
        switch command {
        case .ask(let request):
            ensure(request.person)
            subjects.insert(SubjectName(person: request.person, subject: request.topic.subject))
            if case .significantAppUpdate(let change) = request.topic { sharedChanges.insert(change) }
        case .askAll(let request):
            persons.insert(request.person)
            askedAll.insert(request.person)
        case .answer(let question, _), .cancelWithdrawn(let question):
            questions.insert(question)
            sharedByQuestions.insert(question)
        case .cancel(let question, _, _), .expire(let question), .remind(let question):
            questions.insert(question)
        case .answerMany(let person, let items):
            persons.insert(person)
            for item in items {
                questions.insert(item.question)
                sharedByQuestions.insert(item.question)
            }
        case .putPerson(let person, _, _), .link(let person, _):
            ensure(person)
        case .unlink(let person, _):
            persons.insert(person)
            unlinked.insert(person)
        case .erase(let person, _):
            persons.insert(person)
            unlinked.insert(person)
            erased.insert(person)
        case .acknowledge(let person, let change):
            persons.insert(person)
            sharedChanges.insert(change)
            acknowledgments.insert(AcknowledgmentPair(person: person, change: change))
        case .rescind(let person, let scope, _):
            persons.insert(person)
            rescinded.insert(person)
            if let change = scope.change { sharedChanges.insert(change) }
        case .reinstate(let person):
            persons.insert(person)
            rescinded.insert(person)
        case .putChange(let change, _, _), .withdrawChange(let change, _), .closeWithdrawal(let change):
            lockedChanges.insert(change)
            locksApp = true
        case .observeAgeRating(let observation):
            ageRatings.insert(observation.scope)
        case .putApp:
            locksApp = true
        case .createKey:
            locksApp = true
        case .revokeKey(let key):
            keys.insert(key)
        case .receive(let notice):
            notices.append(notice)
            switch notice.judgement {
            case .rescission(let account): ensuredAccounts.insert(account)
            case .information(let about?): accounts.insert(about)
            case .information(nil), .quarantine: break
            }
        case .register(let person, let registration):
            ensure(person)
            ensuredAccounts.insert(registration.account)
            if registration.signals?.approvedAt != nil {
                askedAll.insert(person)
                approvedByStores.insert(person)
            }
            judge(person)
        case .attribute(let notice, let person):
            persons.insert(person)
            namedNotices.insert(notice)
            judge(person)
        case .webhook(let command):
            webhooks.add(command)
            // So that two at once cannot both be the last that fits.
            if case .create = command { locksApp = true }
        case .keepTicket: break
        case .useTicket(let hash): tickets.insert(hash)
        case .prune(let pruning):
            prunings.append(pruning)
            if case .questions(let ids, _) = pruning { prunedQuestions.formUnion(ids) }
        }
    }

    /// Takes in whose the accounts are that are held, where anything is decided about them.
    mutating func add(_ held: HeldAccounts) {
        if ensuredAccounts.isEmpty, namedNotices.isEmpty { return }
        for person in held.persons.keys {
            persons.insert(person)
            judge(person)
        }
    }

    private mutating func judge(_ person: CallerID) {
        rescinded.insert(person)
        judgedByStores.insert(person)
    }

    private mutating func ensure(_ person: CallerID) {
        ensured.insert(person)
        persons.insert(person)
    }
}

/// What is asked about whom: the unit of which at most one question stands.
struct SubjectName: Hashable {
    let person: CallerID
    /// `Topic.subject`.
    let subject: String

    static func change(_ change: CallerID, of person: CallerID) -> SubjectName {
        SubjectName(person: person, subject: Topic.significantAppUpdate(change: change).subject)
    }

    static func == (left: SubjectName, right: SubjectName) -> Bool {
        left.person == right.person && left.subject.hasBytes(of: right.subject)
    }

    func hash(into hasher: inout Hasher) {
        var subject = subject
        hasher.combine(person)
        subject.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// An acknowledgment by the ids in its path.
struct AcknowledgmentPair: Hashable {
    let person: CallerID
    let change: CallerID
}
