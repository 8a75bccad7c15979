import Consent
import Postgres

/// What a batch decides on, as its commands change it one after the other, and what is to be written for it.
///
/// Every command sees what those before it in the batch did. Belongs to the connection thread that runs the batch.
struct BatchState {
    let app: AppID
    var appRow: App?
    /// Persons that this transaction inserted; a row nobody came to use is deleted again.
    var created: Set<CallerID> = []
    var keys: [Identifier: APIKey] = [:]
    var changes: [CallerID: Change] = [:]
    var ageRatings: [AgeRatingScope: AgeRating] = [:]
    /// Ids of changes that a new one opened by an age rating must not have.
    var ratingChangeIDs: Set<CallerID> = []
    var kept: [IdempotencyName: KeptReply] = [:]
    /// What retention's commands may take away.
    var prunable: [Pruning: PruningFound] = [:]
    /// The question that stands, or may be superseded, for a subject.
    var standing: [SubjectName: Identifier] = [:]
    var stores = StoreHoldings()
    var webhooks = WebhookHoldings()
    var tickets = BatchTickets()
    /// The moment of the batch; after every change to a question that was loaded, so that no two changes of a question
    /// and no two questions about one subject are of one moment, and not before any other change.
    var now = Instant(microseconds: .min)
    var transaction: UInt64 = 0
    var writes = BatchWrites()
    var random = BlockRandom()

    private(set) var questions: [Identifier: Question] = [:]
    private var persons: [CallerID: Person] = [:]
    private var idsByRef: [Identifier: CallerID] = [:]
    private var links: [LinkName: Instant] = [:]
    /// As they were learnt of, by the person's ref.
    private var rescissions: [Identifier: [Rescission]] = [:]
    private var acknowledgments: [AcknowledgmentName: Acknowledgment] = [:]
    /// Created persons that a command came to use.
    private var used: Set<CallerID> = []
    /// What was known before the batch of persons whose rows it changes.
    private var earlierFacts: [CallerID: PersonFacts] = [:]
    /// The facts that erased persons had before the batch; those who came in it were never counted.
    private var erasedFacts: [PersonFacts] = []

    init(app: AppID) {
        self.app = app
    }

    var policy: Policy { appRow?.settings.policy ?? Policy() }

    // MARK: Loading

    mutating func add(_ person: Person) {
        persons[person.id] = person
        idsByRef[person.ref] = person.id
        now = max(now, person.updatedAt)
    }

    /// Takes a question of a person who is held; another's (one that appeared between the lock and the load) is as
    /// unknown as it was when the lock was taken.
    mutating func add(_ question: Question) {
        guard questions[question.id] == nil, idsByRef[question.personRef] != nil else { return }
        questions[question.id] = question
        now = max(now, Instant(microseconds: question.updatedAt.microseconds + 1))
    }

    /// Takes the newest question about a person and a change.
    mutating func add(standing question: Question) {
        add(question)
        guard questions[question.id] != nil, let person = idsByRef[question.personRef] else { return }
        standing[SubjectName(person: person, subject: question.topic.subject)] = question.id
    }

    mutating func add(_ answer: GuardianAnswer, to question: Identifier) {
        guard let known = questions[question]?.latestAnswers, !known.contains(where: { $0.guardian == answer.guardian })
        else { return }
        questions[question]?.latestAnswers.append(answer)
    }

    mutating func add(_ link: LinkName, at moment: Instant) {
        guard links.updateValue(moment, forKey: link) == nil, let id = idsByRef[link.personRef] else { return }
        persons[id]?.guardians.append(link.guardian)
    }

    mutating func add(_ acknowledgment: Acknowledgment) {
        let name = AcknowledgmentName(personRef: acknowledgment.personRef, change: acknowledgment.change)
        acknowledgments[name] = acknowledgment
    }

    mutating func add(_ rescission: Rescission) {
        rescissions[rescission.personRef, default: []].append(rescission)
    }

    /// Called once everything is loaded: no moment of the batch is before a change that it builds on.
    mutating func settle() {
        for (id, question) in questions where question.latestAnswers.count > 1 {
            questions[id]?.latestAnswers.sort { $0.revision < $1.revision }
        }
        for change in changes.values { now = max(now, change.updatedAt) }
        for rating in ageRatings.values { now = max(now, rating.recordedAt, rating.lastObservedAt) }
        if let latest = webhooks.latest { now = max(now, latest) }
        if let appRow { now = max(now, appRow.updatedAt) }
    }

    // MARK: Deciding

    /// The person, when there is one for callers to see.
    func person(_ id: CallerID) -> Person? {
        created.contains(id) && !used.contains(id) ? nil : persons[id]
    }

    /// The person's row whether or not it existed before this batch; nil only where it was not locked.
    func row(_ id: CallerID) -> Person? { persons[id] }

    func personID(_ ref: Identifier) -> CallerID? { idsByRef[ref] }

    func link(_ person: Person, _ guardian: CallerID) -> Instant? {
        links[LinkName(personRef: person.ref, guardian: guardian)]
    }

    func acknowledgment(_ person: Person?, _ change: CallerID) -> Acknowledgment? {
        person.flatMap { acknowledgments[AcknowledgmentName(personRef: $0.ref, change: change)] }
    }

    /// As they were learnt of.
    func rescissions(_ person: Person) -> [Rescission] { rescissions[person.ref] ?? [] }

    /// Questions of the person that were loaded, in id order.
    func questions(of person: Person) -> [Question] {
        questions.values.filter { $0.personRef == person.ref }.sorted { $0.id < $1.id }
    }

    /// Takes a new row for good: from here on the person exists, and the log says so.
    mutating func use(_ person: Person) {
        guard created.contains(person.id), used.insert(person.id).inserted else { return }
        tell(person)
    }

    mutating func tell(_ person: Person) {
        writes.events.append(
            PendingEvent(
                type: .personUpdated, personRef: person.ref, question: nil, revision: person.revision,
                data: EventEncoding.person(person, at: now)))
    }

    /// Keeps a person's changed row; a new row's first facts are still its first revision.
    mutating func store(_ person: Person) {
        if earlierFacts[person.id] == nil { earlierFacts[person.id] = persons[person.id]?.facts }
        persons[person.id] = person
        writes.persons[person.id] = person
    }

    mutating func store(new question: Question, subject: SubjectName) {
        // What was asked before about a change is not the newest any more.
        if let earlier = standing[subject].flatMap({ questions[$0] }) { count(earlier, -1) }
        count(question, 1)
        questions[question.id] = question
        standing[subject] = question.id
        writes.newQuestions.append(question)
        tell(question, .questionCreated, answer: nil)
    }

    mutating func store(_ question: Question, _ event: EventType, answer: GuardianAnswer?) {
        // Only the newest question about a change ever changes its state: the ones before take nothing any more.
        if let earlier = questions[question.id], earlier.state != question.state {
            count(earlier, -1)
            count(question, 1)
        }
        questions[question.id] = question
        if let refusedAt = question.refusedAt, case .significantAppUpdate(let change) = question.topic {
            stores.add(refusal: refusedAt, of: change, by: question.personRef)
        }
        writes.change(question)
        if let answer {
            if answer.kind == .approval { stores.add(approval: answer.at, of: question.personRef) }
            writes.answers.append(RecordedAnswer(question: question.id, answer: answer))
        }
        tell(question, event, answer: answer)
    }

    /// A question of which only the reminder is new.
    mutating func store(reminded question: Question, _ event: EventType) {
        questions[question.id] = question
        writes.reminded.append(question.id)
        tell(question, event, answer: nil)
    }

    /// A question whose answers alone changed: an approval that counts no more.
    mutating func store(voided question: Question, guardian: CallerID) {
        questions[question.id] = question
        guard let answer = question.latestAnswers.first(where: { $0.guardian == guardian }) else { return }
        writes.voided.append(RecordedAnswer(question: question.id, answer: answer))
    }

    /// A question on which approvals count no more since a moment.
    mutating func store(voided question: Question, at moment: Instant) {
        questions[question.id] = question
        for answer in question.latestAnswers where answer.voidedAt == moment {
            writes.voided.append(RecordedAnswer(question: question.id, answer: answer))
        }
    }

    mutating func store(_ rescission: Rescission) {
        var known = rescissions[rescission.personRef] ?? []
        if let index = known.firstIndex(where: { $0.number == rescission.number }) {
            known[index] = rescission
        } else {
            known.append(rescission)
        }
        rescissions[rescission.personRef] = known
        writes.rescind(rescission)
    }

    mutating func store(_ notice: KeptNotice, payload: [UInt8]?) {
        stores.keep(notice)
        writes.keep(notice, payload: payload)
    }

    mutating func store(_ account: RegisteredAccount, _ key: AccountKey) {
        if stores.keep(account, key) { writes.adopted.append(account) }
        writes.accounts[key] = account
    }

    mutating func store(_ link: LinkName, of person: CallerID) {
        links[link] = now
        persons[person]?.guardians.append(link.guardian)
        persons[person]?.guardians.sort()
        writes.link(link)
    }

    mutating func remove(_ link: LinkName, of person: CallerID) {
        links[link] = nil
        persons[person]?.guardians.removeAll { $0 == link.guardian }
        writes.unlink(link)
    }

    mutating func store(new acknowledgment: Acknowledgment) {
        add(acknowledgment)
        writes.acknowledgments.append(acknowledgment)
        writes.progress[ProgressName(change: acknowledgment.change, status: .acknowledged), default: 0] += 1
    }

    /// What a decision about the person is made on; nil only where there is no such person or app.
    func evidence(_ person: Person?, _ question: Question? = nil, counted: [GuardianAnswer] = []) -> Evidence? {
        guard let person, let appRow else { return nil }
        return Evidence(person, appRow, question, counted: counted)
    }

    mutating func tell(_ question: Question, _ event: EventType, answer: GuardianAnswer?) {
        let person = event.isDecision ? idsByRef[question.personRef].flatMap { persons[$0] } : nil
        let evidence = evidence(person, question, counted: question.latestAnswers)
        writes.events.append(
            PendingEvent(
                type: event, personRef: question.personRef, question: question.id, revision: question.revision,
                data: EventEncoding.question(question, answer: answer, evidence: evidence)))
    }

    /// From here on the id is somebody new, whom nobody knows yet; the old questions are as unknown as the person.
    mutating func forget(_ person: Person) {
        let new = Person(
            id: person.id, ref: .newRef(using: &random), facts: .unknown, revision: 1, createdAt: now, updatedAt: now,
            everLinked: false)
        if !created.contains(person.id) {
            erasedFacts.append(earlierFacts.removeValue(forKey: person.id) ?? person.facts)
        }
        persons[person.id] = new
        idsByRef[person.ref] = nil
        idsByRef[new.ref] = person.id
        created.insert(person.id)
        used.remove(person.id)
        questions = questions.filter { $0.value.personRef != person.ref }
        standing = standing.filter { $0.key.person != person.id }
        kept = kept.filter { !$0.value.resource.names(person.id) }
        for key in stores.keys(person) { writes.accounts[key] = nil }
        stores.forget(person)
        writes.adopted.removeAll { $0.personRef == person.ref }
    }

    /// New rows for ids whose persons this batch erased.
    var reborn: [Person] {
        writes.erased.filter { used.contains($0) }.sorted().compactMap { persons[$0] }
    }

    /// Rows that were inserted for commands which were all refused.
    var unused: [CallerID] { created.subtracting(used).sorted() }

    /// Whom the batch takes out of a group of persons and puts into one.
    var groupMoves: [(facts: PersonFacts, count: Int)] {
        var moves: [(facts: PersonFacts, count: Int)] = erasedFacts.map { ($0, -1) }
        for id in used { if let person = persons[id] { moves.append((person.facts, 1)) } }
        for (id, facts) in earlierFacts where !created.contains(id) {
            guard let person = persons[id] else { continue }
            moves.append((facts, -1))
            moves.append((person.facts, 1))
        }
        return moves
    }
}
