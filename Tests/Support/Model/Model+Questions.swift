import Consent
import Store

extension Model {
    mutating func ask(_ request: AskRequest) -> Reply {
        let person = persons[request.person] ?? newPerson(request.person)
        var change: Change?
        if case .significantAppUpdate(let id) = request.topic { change = changes[id] }
        let verdict = Asking.decide(
            request, person: person, change: change, standing: standing(request.person, request.topic),
            policy: policy, now: now, random: chosen.question.low)
        switch verdict {
        case .existing(let question): return .done(.asked(record(question), .existing))
        case .refused(let refusal): return refused(refusal, request.person)
        case .create(let question, let before):
            use(person)
            for earlier in before { store(earlier.question, earlier.event, nil) }
            store(question, .questionCreated, nil)
            return .done(.asked(record(question), .created))
        }
    }

    /// In its own words: what access says without any question is what a guardian has to be asked about.
    mutating func askAll(_ request: AskAllRequest) -> Reply {
        let id = request.person
        guard let person = persons[id] else { return refused(.unknownPerson, id) }
        let inEffect = changes.values.filter { $0.isInEffect(at: now) }.sorted { $0.id < $1.id }
        let access = AccessDecision.decide(
            person.facts, isRescinded: person.isRescinded, policy: policy, changes: inEffect.map(ChangeInEffect.init),
            questions: [:], acknowledged: [], now: now)
        if access.reason == .consentRescinded { return refused(.consentRescinded(nil), id) }
        let age = AgeGroup(person.facts.ageRange, adultAge: policy.adultAge(of: person.facts))
        if age == .adultConfirmed || age == .adultNotConfirmed { return refused(.notAvailable, id) }
        if let expiration = request.expiration {
            let latest = now.adding(seconds: Int64(policy.longestExpirationSeconds))
            if expiration <= now { return refused(.expirationNotAfterNow(now: now), id) }
            if expiration > latest { return refused(.expirationTooFar(latest: latest), id) }
        }
        if let reason = access.reason { return refused(.blocked(reason), id) }
        guard access.phase == .askGuardian else { return .done(.askedAll(id, [])) }
        var items: [AskedItem] = []
        let before = self
        for open in access.changes where open.status != .exempt {
            chosen.question = chosen.questions[open.change] ?? chosen.question
            let result: AskedItem.Result
            switch ask(request.request(about: open.change)) {
            case .done(.asked(let record, let asked)): result = .asked(record, asked)
            case .refused(.quorumUnreachable(let links, let quorum), person: _, at: _):
                self = before
                return refused(.quorumUnreachable(links: links, quorum: quorum), id)
            case .refused(let refusal, person: _, let at): result = .refused(refusal, at: at)
            case .done, .replayed: return refused(.unknownApp)
            }
            items.append(AskedItem(change: open.change, result: result))
        }
        return .done(.askedAll(id, items))
    }

    mutating func answer(_ id: Identifier, _ request: AnswerRequest) -> Reply {
        guard let question = questions[id], let person = personID(question.personRef).flatMap({ persons[$0] }) else {
            return refused(.unknownQuestion)
        }
        let mayAnswer = person.mayAnswer(request.guardian, policy: policy)
        return input(
            .answer(
                request, mayAnswer: mayAnswer, methods: policy.verificationMethods,
                withdrawn: withdrawnChange(question), rescinded: person.isRescinded), to: id)
    }

    private func withdrawnChange(_ question: Question) -> Change? {
        guard case .significantAppUpdate(let id) = question.topic else { return nil }
        return changes[id].flatMap { $0.withdrawal == nil ? nil : $0 }
    }

    /// A question that can still be answered or changed: an erased person's are as unknown as the person.
    private func askable(_ id: Identifier) -> Question? {
        questions[id].flatMap { personID($0.personRef) == nil ? nil : $0 }
    }

    mutating func cancelWithdrawn(_ id: Identifier) -> Reply {
        guard let question = askable(id) else { return refused(.unknownQuestion) }
        guard let withdrawal = withdrawnChange(question)?.withdrawal else { return .done(.question(record(question))) }
        return input(.withdraw(reason: withdrawal.reason), to: id)
    }

    mutating func input(_ input: QuestionInput, to id: Identifier) -> Reply {
        guard let question = askable(id) else { return refused(.unknownQuestion) }
        switch question.applying(input, at: now) {
        case .unchanged: return .done(.question(record(question)))
        case .refused(let refusal): return refused(refusal, personID(question.personRef))
        case .changed(let next, let event, let answer):
            store(next, event, answer)
            return .done(.question(record(next)))
        }
    }

    mutating func answerMany(_ id: CallerID, _ items: [AnswerItem]) -> Reply {
        guard let person = persons[id] else { return refused(.unknownPerson) }
        return .done(.answers(id, items.map { answer($0, person) }))
    }

    private mutating func answer(_ item: AnswerItem, _ person: Person) -> AnswerItemResult {
        func result(_ result: AnswerItemResult.Result) -> AnswerItemResult {
            AnswerItemResult(question: item.question, result: result)
        }
        guard let question = questions[item.question], question.personRef == person.ref else {
            return result(.refused(.unknownQuestion, at: now))
        }
        guard question.revision == item.revision else {
            return result(.refused(.revisionChanged(question.effective(at: now)), at: now))
        }
        switch answer(item.question, item.answer) {
        case .done(.question(let record)): return result(.accepted(record))
        case .refused(let refusal, person: _, at: _): return result(.refused(refusal, at: now))
        case .done, .replayed: return result(.refused(.unknownApp, at: now))
        }
    }

    mutating func expire(_ id: Identifier) -> Reply {
        guard let question = askable(id),
            case .changed(let next, let event, _) = question.applying(.deadline, at: now)
        else { return .done(.expired(false)) }
        store(next, event, nil)
        return .done(.expired(true))
    }

    mutating func remind(_ id: Identifier) -> Reply {
        guard let question = askable(id),
            case .changed(let next, let event, _) =
                question.applying(.remind(seconds: policy.reminderSeconds), at: now)
        else { return .done(.reminded(false)) }
        store(next, event, nil)
        return .done(.reminded(true))
    }

    mutating func store(_ question: Question, _ event: EventType, _ answer: GuardianAnswer?) {
        questions[question.id] = question
        if let answer { answers[question.id, default: []].append(answer) }
        var shown = question
        shown.latestAnswers = []
        tell(event, question.personRef, question.revision, .question(shown, answer: answer), question)
    }

    private func record(_ question: Question) -> QuestionRecord {
        QuestionRecord(
            app: appID, person: personID(question.personRef), question: question.effective(at: now), readAt: now)
    }
}
