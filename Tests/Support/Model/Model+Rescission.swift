import Consent
import Store

extension Model {
    mutating func rescind(_ id: CallerID, _ scope: RescissionScope, _ reason: String?) -> Reply {
        let ref = persons[id]?.ref
        let known = ref.flatMap { rescissions[$0] } ?? []
        let verdict = Rescinding.decide(
            RescissionRequest(scope: scope, reason: reason), person: persons[id],
            change: scope.change.flatMap { changes[$0] },
            questions: questions.values.filter { $0.personRef == ref }, earlier: known.count, now: now)
        switch verdict {
        case .refused(let refusal): return refused(refusal, id)
        case .unchanged:
            guard let person = persons[id] else { return refused(.unknownPerson) }
            return .done(.rescinded(ConsentStanding(person, scope, known, at: now)))
        case .rescinded(let rescission, let person, let ended, let voided):
            persons[id] = person
            rescissions[person.ref] = known + [rescission]
            tell(.personRescinded, person.ref, person.revision, .rescission(rescission))
            for change in ended { store(change.question, change.event, nil) }
            for question in voided { replaceAnswers(of: question) }
            return .done(.rescinded(ConsentStanding(person, scope, known + [rescission], at: now)))
        }
    }

    /// Takes over which of the question's approvals count no more.
    mutating func replaceAnswers(of question: Question) {
        questions[question.id] = question
        let latest = Dictionary(uniqueKeysWithValues: question.latestAnswers.map { ($0.revision, $0) })
        answers[question.id] = answers[question.id]?.map { latest[$0.revision] ?? $0 }
    }

    mutating func reinstate(_ id: CallerID) -> Reply {
        let known = persons[id].flatMap { rescissions[$0.ref] } ?? []
        switch Reinstating.decide(person: persons[id], rescissions: known, now: now) {
        case .refused(let refusal): return refused(refusal, id)
        case .unchanged(let person):
            persons[id] = person
            return .done(.reinstated(ConsentStanding(person, .person, known, at: now)))
        case .reinstated(let person, let ended):
            persons[id] = person
            rescissions[person.ref] = known.map { old in ended.first { $0.number == old.number } ?? old }
            tell(.personReinstated, person.ref, person.revision, .reinstated(ended: ended.flatMap(\.ended)))
            return .done(.reinstated(ConsentStanding(person, .person, known, at: now)))
        }
    }
}
