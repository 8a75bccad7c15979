import Consent

/// Consent taken back, and the household's return.
extension BatchState {
    mutating func rescind(_ id: CallerID, _ scope: RescissionScope, reason: String?) -> Reply {
        let person = person(id)
        let known = person.map { rescissions($0) } ?? []
        let verdict = Rescinding.decide(
            RescissionRequest(scope: scope, reason: reason), person: person,
            change: scope.change.flatMap { changes[$0] },
            questions: person.map { questions(of: $0) } ?? [], earlier: known.count, now: now)
        switch verdict {
        case .refused(let refusal): return refused(refusal, person: id)
        case .unchanged:
            guard let person else { return refused(.unknownPerson) }
            return .done(.rescinded(ConsentStanding(person, scope, known, at: now)))
        case .rescinded(let rescission, let person, let ended, let voided):
            store(person)
            store(rescission)
            tell(person, .personRescinded, EventEncoding.rescission(rescission))
            for change in ended { store(change.question, change.event, answer: nil) }
            for question in voided { store(voided: question, at: now) }
            return .done(.rescinded(ConsentStanding(person, scope, known + [rescission], at: now)))
        }
    }

    mutating func reinstate(_ id: CallerID) -> Reply {
        let person = person(id)
        let known = person.map { rescissions($0) } ?? []
        switch Reinstating.decide(person: person, rescissions: known, now: now) {
        case .refused(let refusal): return refused(refusal, person: id)
        case .unchanged(let person):
            store(person)
            return .done(.reinstated(ConsentStanding(person, .person, known, at: now)))
        case .reinstated(let person, let ended):
            store(person)
            for rescission in ended { store(rescission) }
            tell(person, .personReinstated, EventEncoding.reinstated(ended.flatMap(\.ended)))
            return .done(.reinstated(ConsentStanding(person, .person, known, at: now)))
        }
    }

    private mutating func tell(_ person: Person, _ event: EventType, _ data: [UInt8]?) {
        writes.events.append(
            PendingEvent(
                type: event, personRef: person.ref, question: nil, revision: person.revision, data: data))
    }
}
