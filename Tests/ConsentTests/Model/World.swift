import Consent

/// The product's side of the model: what the store holds of one person, moved only by the functions under test.
struct World {
    let policy: Policy
    let topic: Topic
    var person: Person
    var question: Question
    /// Those that hold.
    var rescissions: [Rescission] = []
    /// What is asked about, where it is a change.
    var change: Change?
    /// Events about the newest question so far; creation is not counted.
    var events = 0
    /// What the step should never do, found on the way.
    var faults: [String] = []

    init(quorum: Int, topic: Topic) {
        self.policy = Policy(
            defaultExpirationSeconds: Record.life, askAgainSeconds: Record.askAgainDelay, defaultQuorum: quorum)
        self.topic = topic
        self.change = topic.kind == .significantAppUpdate ? Samples.change() : nil
        self.person = Samples.person(guardians: [Samples.g1, Samples.g2])
        self.question = Samples.question(
            topic: topic, quorum: quorum, expiration: World.instant(Record.life), createdAt: World.instant(0))
    }

    static func instant(_ second: Int) -> Instant { Samples.second(Int64(second)) }
    static let guardians = [Samples.g1, Samples.g2]
    static let requests: [Step: AnswerRequest] = [
        .approval1: AnswerRequest(guardian: Samples.g1, kind: .approval, reason: "1 approves"),
        .denial1: AnswerRequest(guardian: Samples.g1, kind: .denial, reason: "1 denies"),
        .approval2: AnswerRequest(guardian: Samples.g2, kind: .approval, reason: "2 approves"),
        .denial2: AnswerRequest(guardian: Samples.g2, kind: .denial, reason: "2 denies"),
    ]

    mutating func take(_ step: Step, sweeps: Bool, at now: Instant) -> Outcome {
        switch step {
        case .approval1, .denial1, .approval2, .denial2:
            guard let request = World.requests[step] else { return .refused(.strange) }
            let mayAnswer = person.mayAnswer(request.guardian, policy: policy)
            let withdrawn = change.flatMap { $0.withdrawal == nil ? nil : $0 }
            return apply(
                .answer(request, mayAnswer: mayAnswer, withdrawn: withdrawn, rescinded: person.isRescinded), at: now)
        case .cancel: return apply(.cancel(by: .child, reason: "changed my mind"), at: now)
        case .deadline: return sweeps ? apply(.deadline, at: now) : .nothing
        case .link1:
            person.guardians = World.guardians
            return .nothing
        case .unlink1:
            person.guardians = [Samples.g2]
            guard let voided = question.voidingApproval(of: Samples.g1, at: now) else { return .nothing }
            question = voided
            return .voided
        case .askAgain: return ask(at: now)
        case .withdraw:
            guard let change else { return .nothing }
            if change.withdrawal != nil { return apply(.withdraw(reason: "never mind"), at: now) }
            self.change = change.withdrawn(reason: "never mind", at: now)
            return .nothing
        case .rescind: return rescind(at: now)
        case .reinstate:
            let earlier = person
            switch Reinstating.decide(person: person, rescissions: rescissions, now: now) {
            case .refused: return .refused(.strange)
            case .unchanged(let next):
                if earlier.isRescinded { faults.append("still frozen after a return") }
                person = next
            case .reinstated(let next, let ended):
                if !earlier.isRescinded || next.revision != earlier.revision + 1 { faults.append("wrong return") }
                if ended.map(\.endedAt) != [now] { faults.append("ends \(ended.count) rescissions") }
                person = next
                rescissions = []
            }
            return .nothing
        }
    }

    /// What the person may do, of whom a guardian's consent to every change is needed.
    func access(at now: Instant) -> AccessDecision {
        let facts = PersonFacts(
            ageRange: .range(lower: 13, upper: 15, declaration: "guardianDeclared"),
            duties: .features([Duty.significantAppChangeRequiresParentalConsent.rawValue]))
        let changes = [change].compactMap { $0 }.filter { $0.withdrawal == nil }
        return AccessDecision.decide(
            facts, isRescinded: person.isRescinded, hasReturned: person.hasReturned, policy: policy,
            changes: changes.map { ChangeInEffect($0) }, questions: [Samples.changeID: QuestionBrief(question)],
            acknowledged: [], now: now)
    }

    private mutating func rescind(at now: Instant) -> Outcome {
        let verdict = Rescinding.decide(
            RescissionRequest(scope: .person, reason: "moved away"), person: person, change: nil,
            questions: [question], earlier: rescissions.count, now: now)
        guard case .rescinded(let rescission, let next, let ended, let voided) = verdict else {
            if verdict != .unchanged || !person.isRescinded { faults.append("nothing rescinded") }
            return .nothing
        }
        if person.isRescinded || next.revision != person.revision + 1 || next.rescindedAt != now {
            faults.append("wrongly frozen")
        }
        if rescission.ended != ended.map(\.question.id) || rescission.voided != voided.map(\.id) {
            faults.append("the rescission says something else than what it did")
        }
        person = next
        rescissions = [rescission]
        if let next = voided.first { question = next }
        guard let change = ended.first else { return voided.isEmpty ? .nothing : .voided }
        check(change.question, recorded: nil, at: now)
        question = change.question
        events += 1
        return .changed(change.event)
    }

    private mutating func apply(_ input: QuestionInput, at now: Instant) -> Outcome {
        switch question.applying(input, at: now) {
        case .unchanged: return .nothing
        case .refused(let refusal):
            if let shown = refusal.shown, shown != question.effective(at: now) {
                faults.append("a refusal shows what nobody reads")
            }
            return .refused(Outcome.Slug(refusal))
        case .changed(let next, let event, recorded: let answer):
            check(next, recorded: answer, at: now)
            question = next
            events += 1
            return .changed(event)
        }
    }

    private mutating func check(_ next: Question, recorded answer: GuardianAnswer?, at now: Instant) {
        if question.state == .cancelled || question.state == .expired { faults.append("left an end state") }
        if next.revision != question.revision + 1 { faults.append("revision did not rise by one") }
        if question.everApproved, !next.everApproved { faults.append("forgot an approval") }
        guard let answer else { return }
        if answer.kind == .approval, answer.at >= question.expiration { faults.append("approval past expiration") }
        if answer.revision != next.revision { faults.append("answer of another revision") }
    }

    private mutating func ask(at now: Instant) -> Outcome {
        let verdict = Asking.decide(
            Samples.ask(topic, description: change == nil ? "A game" : nil), person: person, change: change,
            standing: question, policy: policy, now: now, random: 7)
        switch verdict {
        case .existing(let standing):
            if standing != question { faults.append("another question stands") }
            return .existing
        case .refused(let refusal): return .refused(Outcome.Slug(refusal))
        case .create(let new, let before):
            for earlier in before { checkEarlier(earlier, successor: new.id, at: now) }
            question = new
            events = 0
            return .asked(before: before.map(\.event))
        }
    }

    /// What an asked-again question leaves behind: one more revision, and nobody gets anything more out of it.
    private mutating func checkEarlier(_ earlier: EarlierChange, successor: Identifier, at now: Instant) {
        let old = earlier.question
        if old.id != question.id || old.revision != question.revision + 1 { faults.append("wrong earlier change") }
        if old.effective(at: now) != old { faults.append("left behind unresolved") }
        guard earlier.event == .questionSuperseded else { return }
        if old.supersededBy != successor || old.state != question.state { faults.append("wrongly superseded") }
        if !old.allowedActions(at: now).isEmpty { faults.append("superseded allows something") }
        let inputs: [QuestionInput] =
            World.requests.values.map { .answer($0, mayAnswer: true) } + [
                .cancel(by: .child, reason: nil), .supersede(by: Samples.ref),
            ]
        for input in inputs where old.applying(input, at: now) != .refused(.questionSuperseded(old)) {
            faults.append("superseded takes something")
        }
        if old.applying(.deadline, at: old.expiration) != .unchanged { faults.append("superseded expires") }
    }
}
