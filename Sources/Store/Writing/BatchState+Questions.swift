import Consent

/// Commands about questions.
extension BatchState {
    /// Counts a question about a change where it stands, or no more.
    mutating func count(_ question: Question, _ number: Int) {
        guard case .significantAppUpdate(let change) = question.topic else { return }
        writes.progress[ProgressName(change: change, status: ProgressStatus(question.state)), default: 0] += number
    }

    mutating func ask(_ request: AskRequest) -> Reply { ask(request, by: policy) }

    mutating func ask(_ request: AskRequest, by policy: Policy) -> Reply {
        guard let person = row(request.person), request.personRef.map({ $0 == person.ref }) ?? true else {
            return refused(.unknownPerson)
        }
        let subject = SubjectName(person: request.person, subject: request.topic.subject)
        let earlier = standing[subject].flatMap { questions[$0] }
        var change: Change?
        if case .significantAppUpdate(let id) = request.topic { change = changes[id] }
        let verdict = Asking.decide(
            request, person: person, change: change, standing: earlier, policy: policy, now: now,
            random: random.next())
        switch verdict {
        case .existing(let question): return .done(.asked(record(question), .existing))
        case .refused(let refusal): return refused(refusal, person: request.person)
        case .create(let question, let before):
            use(person)
            store(new: question, before: before, subject: subject)
            return .done(.asked(record(question), .created))
        }
    }

    mutating func askAll(_ request: AskAllRequest) -> Reply {
        let id = request.person
        if let ref = request.personRef, person(id)?.ref != ref { return refused(.unknownPerson) }
        var earlier: [CallerID: Question] = [:]
        for change in changes.keys { earlier[change] = standing[.change(change, of: id)].flatMap { questions[$0] } }
        let verdict = Asking.decideAll(
            request, person: person(id), changes: changes.values.sorted { $0.id < $1.id }, standing: earlier,
            policy: policy, now: now, random: { random.next() })
        switch verdict {
        case .refused(let refusal): return refused(refusal, person: id)
        case .asked(let asked):
            var items: [AskedItem] = []
            items.reserveCapacity(asked.count)
            for one in asked { items.append(AskedItem(change: one.change, result: ask(one, of: id))) }
            return .done(.askedAll(id, items))
        }
    }

    private mutating func ask(_ asked: AskedChange, of person: CallerID) -> AskedItem.Result {
        switch asked.verdict {
        case .existing(let question): return .asked(record(question), .existing)
        case .refused(let refusal): return .refused(refusal, at: now)
        case .create(let question, let before):
            store(new: question, before: before, subject: .change(asked.change, of: person))
            return .asked(record(question), .created)
        }
    }

    private mutating func store(new question: Question, before: [EarlierChange], subject: SubjectName) {
        for change in before { store(change.question, change.event, answer: nil) }
        store(new: question, subject: subject)
    }

    mutating func answer(_ id: Identifier, _ request: AnswerRequest) -> Reply {
        guard let question = questions[id], holdsChange(of: question),
            let person = personID(question.personRef).flatMap(row)
        else {
            return refused(.unknownQuestion)
        }
        return apply(input(request, to: question, of: person), to: id)
    }

    private func input(_ request: AnswerRequest, to question: Question, of person: Person) -> QuestionInput {
        .answer(
            request, mayAnswer: person.mayAnswer(request.guardian, policy: policy), methods: policy.verificationMethods,
            withdrawn: withdrawnChange(of: question), rescinded: person.isRescinded)
    }

    mutating func apply(_ input: QuestionInput, to id: Identifier) -> Reply {
        guard let question = questions[id] else { return refused(.unknownQuestion) }
        switch question.applying(input, at: now) {
        case .unchanged: return .done(.question(record(question)))
        case .refused(let refusal): return refused(refusal, person: personID(question.personRef))
        case .changed(let next, let event, let recorded):
            store(next, event, answer: recorded)
            return .done(.question(record(next)))
        }
    }

    mutating func answerMany(_ id: CallerID, _ items: [AnswerItem]) -> Reply {
        guard let person = person(id) else { return refused(.unknownPerson) }
        var results: [AnswerItemResult] = []
        results.reserveCapacity(items.count)
        for item in items {
            results.append(AnswerItemResult(question: item.question, result: answer(item, of: person)))
        }
        return .done(.answers(id, results))
    }

    private mutating func answer(_ item: AnswerItem, of person: Person) -> AnswerItemResult.Result {
        guard let question = questions[item.question], question.personRef == person.ref,
            holdsChange(of: question)
        else {
            return .refused(.unknownQuestion, at: now)
        }
        guard question.revision == item.revision else {
            return .refused(.revisionChanged(question.effective(at: now)), at: now)
        }
        switch question.applying(input(item.answer, to: question, of: person), at: now) {
        case .unchanged: return .accepted(record(question))
        case .refused(let refusal): return .refused(refusal, at: now)
        case .changed(let next, let event, let recorded):
            store(next, event, answer: recorded)
            return .accepted(record(next))
        }
    }

    /// Whether the change that the question is about holds still, if it is about one. Where it does not, the question came
    /// to be after the locks were taken, and is as unknown as it was then.
    private func holdsChange(of question: Question) -> Bool {
        guard case .significantAppUpdate(let change) = question.topic else { return true }
        return changes[change] != nil
    }

    /// The change that the question is about, where that was withdrawn.
    private func withdrawnChange(of question: Question) -> Change? {
        guard case .significantAppUpdate(let id) = question.topic, let change = changes[id] else { return nil }
        return change.withdrawal == nil ? nil : change
    }

    mutating func cancelWithdrawn(_ id: Identifier) -> Reply {
        guard let question = questions[id] else { return refused(.unknownQuestion) }
        guard let withdrawal = withdrawnChange(of: question)?.withdrawal else {
            return .done(.question(record(question)))
        }
        return apply(.withdraw(reason: withdrawal.reason), to: id)
    }

    mutating func expire(_ id: Identifier) -> Reply {
        guard let question = questions[id],
            case .changed(let next, let event, _) = question.applying(.deadline, at: now)
        else { return .done(.expired(false)) }
        store(next, event, answer: nil)
        return .done(.expired(true))
    }

    mutating func remind(_ id: Identifier) -> Reply {
        guard let question = questions[id],
            case .changed(let next, let event, _) =
                question.applying(.remind(seconds: policy.reminderSeconds), at: now)
        else { return .done(.reminded(false)) }
        store(reminded: next, event)
        return .done(.reminded(true))
    }

    private func record(_ question: Question) -> QuestionRecord {
        QuestionRecord(
            app: app, person: personID(question.personRef), question: question.effective(at: now), readAt: now)
    }
}
