import Consent
import Store

/// The store on paper: one app's rows in dictionaries, moved by the rules of the domain and by nothing else.
///
/// What only the database can choose (the moment, a new person's ref, a new question's id) comes in from outside.
struct Model {
    /// What the database chose for one command.
    struct Chosen {
        var now: Instant
        var personRef = Identifier(high: 0, low: 0)
        var personCreatedAt = Instant(microseconds: 0)
        var question = Identifier(high: 0, low: 0)
        var notification = Identifier(high: 0, low: 0)
        /// Those of questions asked all at once, by their changes.
        var questions: [CallerID: Identifier] = [:]
        /// What an erased person's guardians are called from now on; those it does not name keep their name.
        var names: [CallerID: CallerID] = [:]
    }

    let appID: AppID
    var app: App?
    var persons: [CallerID: Person] = [:]
    var links: [CallerID: [CallerID: Instant]] = [:]
    var questions: [Identifier: Question] = [:]
    /// Every answer to a question, in the order given.
    var answers: [Identifier: [GuardianAnswer]] = [:]
    var changes: [CallerID: Change] = [:]
    /// By the person's ref, like everything that outlives the person.
    var acknowledgments: [Identifier: [CallerID: Acknowledgment]] = [:]
    var rescissions: [Identifier: [Rescission]] = [:]
    var ageRatings: [AgeRatingScope: AgeRating] = [:]
    var ratingSteps: [AgeRatingStep] = []
    var keys: [Identifier: APIKey] = [:]
    var notices: [Identifier: StoreNotification] = [:]
    /// By store and identity.
    var noticeIDs: [String: Identifier] = [:]
    var accounts: [StoreAccount: RegisteredAccount] = [:]
    var kept: [String: (fingerprint: [UInt8], status: Int, resource: ResourceName)] = [:]

    var chosen = Chosen(now: Instant(microseconds: 0))
    var told: [Told] = []

    init(_ appID: AppID) {
        self.appID = appID
    }

    var policy: Policy { app?.settings.policy ?? Policy() }
    var now: Instant { chosen.now }

    func personID(_ ref: Identifier) -> CallerID? { persons.values.first { $0.ref == ref }?.id }

    /// The newest question about the subject that was neither superseded nor ended without a decision.
    func standing(_ person: CallerID, _ topic: Topic) -> Question? {
        guard let ref = persons[person]?.ref else { return nil }
        return questions.values.filter {
            $0.personRef == ref && $0.topic.subject.utf8.elementsEqual(topic.subject.utf8) && $0.supersededBy == nil
                && $0.state != .expired
                && $0.state != .cancelled
        }.max { $0.id < $1.id }
    }

    /// Runs a command, remembering keyed ones; returns the reply and what the log gains.
    mutating func run(_ command: Command, key: IdempotencyKey?, _ chosen: Chosen) -> (Reply, [Told]) {
        self.chosen = chosen
        told = []
        guard let key else { return (decide(command), told) }
        let name = key.scope + " " + key.key
        if let earlier = kept[name] {
            let isSame = earlier.fingerprint == key.fingerprint
            return (isSame ? .replayed(status: earlier.status, earlier.resource) : refused(.idempotencyKeyReused), [])
        }
        let reply = decide(command)
        if case .done(let outcome) = reply {
            kept[name] = (key.fingerprint, outcome.status, outcome.name)
        }
        return (reply, told)
    }

    private mutating func decide(_ command: Command) -> Reply {
        if app == nil {
            guard case .putApp = command else { return refused(.unknownApp) }
        }
        switch command {
        case .ask(let request): return ask(request)
        case .askAll(let request): return askAll(request)
        case .answer(let id, let request): return answer(id, request)
        case .answerMany(let person, let items): return answerMany(person, items)
        case .cancel(let id, let canceller, let reason): return input(.cancel(by: canceller, reason: reason), to: id)
        case .expire(let id): return expire(id)
        case .remind(let id): return remind(id)
        case .putPerson(let id, let facts, let precondition): return putPerson(id, facts, precondition)
        case .link(let person, let guardian): return link(person, guardian)
        case .unlink(let person, let guardian): return unlink(person, guardian)
        case .acknowledge(let person, let change): return acknowledge(person, change)
        case .rescind(let person, let scope, let reason): return rescind(person, scope, reason)
        case .reinstate(let person): return reinstate(person)
        case .erase(let person, let canceller): return erase(person, canceller)
        case .putChange(let id, let settings, let precondition): return putChange(id, settings, precondition)
        case .withdrawChange(let id, let reason): return withdraw(id, reason)
        case .cancelWithdrawn(let id): return cancelWithdrawn(id)
        case .closeWithdrawal: return .done(.forgotten)
        case .observeAgeRating(let observation): return observe(observation)
        case .putApp(let settings, let precondition): return putApp(settings, precondition)
        case .createKey(let key): return createKey(key)
        case .revokeKey(let id): return revokeKey(id)
        case .receive(let notice): return receive(notice)
        case .register(let person, let registration): return register(person, registration)
        case .attribute(let notice, let person): return attribute(notice, person)
        // Nothing that the model holds hangs on webhooks.
        case .webhook: return refused(.unknownWebhookEndpoint)
        case .prune: return .done(.pruned(0))
        // Nothing that is decided hangs on tickets: the random histories have none.
        case .keepTicket: return .done(.ticket(expiresAt: now.adding(seconds: StreamTicket.lifetime)))
        case .useTicket: return .done(.used(nil))
        }
    }

    func refused(_ refusal: Refusal, _ person: CallerID? = nil) -> Reply {
        .refused(refusal, person: person, at: now)
    }

    mutating func tell(
        _ type: EventType, _ personRef: Identifier?, _ revision: Int?, _ data: EventData, _ question: Question? = nil
    ) {
        let person = persons.values.first { $0.ref == personRef }
        var evidence: Evidence?
        if type.isDecision, let person { evidence = self.evidence(person, question) }
        told.append(
            Told(type: type, at: now, personRef: personRef, revision: revision, data: data, evidence: evidence))
    }
}

extension Model {
    private func evidence(_ person: Person, _ question: Question?) -> Evidence {
        var counted: [Evidence.CountedAnswer] = []
        for answer in answers[question?.id ?? person.ref] ?? [] {
            counted.removeAll { $0.guardian == answer.guardian }
            guard answer.voidedAt == nil else { continue }
            counted.append(.init(guardian: answer.guardian, kind: answer.kind, revision: answer.revision))
        }
        return Evidence(
            personRevision: person.revision,
            ageGroup: AgeGroup(person.facts.ageRange, adultAge: policy.adultAge(of: person.facts)),
            policyRevision: app?.revision ?? 0, quorum: question?.quorum, answers: counted)
    }
}

/// An event without its place in the log.
struct Told: Hashable {
    let type: EventType
    let at: Instant
    let personRef: Identifier?
    let revision: Int?
    var data: EventData
    var evidence: Evidence?
}

extension Told {
    init(_ event: EventRecord) {
        self.init(
            type: event.type, at: event.at, personRef: event.personRef, revision: event.revision, data: event.data,
            evidence: event.evidence)
    }
}

extension Outcome {
    /// What a repeat is answered from, by the surface's own words.
    fileprivate var name: ResourceName {
        switch self {
        case .asked(let record, _), .question(let record): .question(record.question.id)
        case .answers(let person, let items): .answers(person: person, items.map(\.name))
        case .askedAll(let person, let items): .askedAll(person: person, items.map(\.name))
        case .person(let person, _): .person(person.id)
        case .link(let link, _): .link(person: link.person, guardian: link.guardian)
        case .acknowledgment(let given, let person, _): .acknowledgment(person: person, change: given.change)
        case .rescinded(let standing): .rescission(person: standing.person.id, standing.scope)
        case .reinstated(let standing): .reinstatement(person: standing.person.id)
        case .change(let change, _): .change(change.id)
        case .ageRating(let report):
            .ageRating(report.scope, report.outcome, previousCode: report.previousCode, change: report.change)
        case .notification(let record): .notification(record.notification.id)
        case .registered(let account, let person, created: _): .account(person: person.id, account.account)
        case .app: .app
        case .key(let key): .key(key.id)
        case .webhook(.endpoint(let endpoint, _)), .webhook(.rotated(let endpoint)): .webhook(.endpoint(endpoint.id))
        case .webhook(.delivery(let endpoint, let id)): .webhook(.delivery(endpoint: endpoint, id))
        case .webhook(.replay(let feed, let after)): .webhook(.replay(feed: feed, after: after))
        case .webhook(.deleted), .webhook(.recorded): .nothing
        case .unlinked, .erased, .keyRevoked, .expired, .reminded, .forgotten, .pruned, .used: .nothing
        case .ticket(let end): .ticket(expiresAt: end)
        }
    }
}

extension ResourceName {
    /// Whether it is the name of something of that person's.
    func names(_ id: CallerID) -> Bool {
        switch self {
        case .answers(let person, _), .askedAll(let person, _), .person(let person), .link(let person, guardian: _),
            .acknowledgment(let person, change: _), .rescission(let person, _), .reinstatement(let person),
            .account(let person, _):
            person == id
        case .question, .change, .ageRating, .notification, .app, .key, .ticket, .webhook, .nothing: false
        }
    }
}

extension AnswerItemResult {
    fileprivate var name: ResourceName.ItemName {
        switch result {
        case .accepted: .init(question: question, refusal: nil)
        case .refused(let refusal, at: _): .init(question: question, refusal: refusal.code)
        }
    }
}

extension AskedItem {
    fileprivate var name: ResourceName.AskedName {
        switch result {
        case .asked(let record, let asked): .init(change: change, result: .asked(asked), question: record.question.id)
        case .refused(.deniedRecently(let question, until: _, now: _), at: _):
            .init(change: change, result: .refused("deniedRecently"), question: question.id)
        case .refused(let refusal, at: _): .init(change: change, result: .refused(refusal.code), question: nil)
        }
    }
}
