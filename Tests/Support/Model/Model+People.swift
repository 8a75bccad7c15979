import Consent
import Store

extension Model {
    func newPerson(_ id: CallerID) -> Person {
        Person(
            id: id, ref: chosen.personRef, facts: .unknown, revision: 1, createdAt: chosen.personCreatedAt,
            updatedAt: chosen.personCreatedAt, everLinked: false)
    }

    /// Takes a person in whom nobody knew yet.
    mutating func use(_ person: Person) {
        guard persons[person.id] == nil else { return }
        persons[person.id] = person
        tell(person)
    }

    private mutating func tell(_ person: Person) {
        tell(
            .personUpdated, person.ref, person.revision,
            .person(
                person.facts, rescindedAt: person.rescindedAt, revision: person.revision, createdAt: person.createdAt,
                updatedAt: person.updatedAt))
    }

    mutating func putPerson(_ id: CallerID, _ facts: PersonFacts, _ precondition: Precondition) -> Reply {
        guard precondition.allows(revision: persons[id]?.revision) else { return refused(.preconditionFailed, id) }
        guard var person = persons[id] else {
            var new = newPerson(id)
            new.facts = facts
            use(new)
            return .done(.person(new, created: true))
        }
        if person.facts != facts {
            person.facts = facts
            person.revision += 1
            person.updatedAt = now
            persons[id] = person
            tell(person)
        }
        return .done(.person(person, created: false))
    }

    mutating func link(_ id: CallerID, _ guardian: CallerID) -> Reply {
        if let since = links[id]?[guardian] {
            return .done(.link(GuardianLink(person: id, guardian: guardian, createdAt: since), created: false))
        }
        var person = persons[id] ?? newPerson(id)
        use(person)
        person.everLinked = true
        person.guardians = (person.guardians + [guardian]).sorted()
        persons[id] = person
        links[id, default: [:]][guardian] = now
        tell(.guardianLinked, person.ref, nil, .linked(guardian: guardian))
        return .done(.link(GuardianLink(person: id, guardian: guardian, createdAt: now), created: true))
    }

    mutating func unlink(_ id: CallerID, _ guardian: CallerID) -> Reply {
        guard let person = persons[id] else { return refused(.unknownPerson) }
        guard links[id]?[guardian] != nil else { return .done(.unlinked) }
        links[id]?[guardian] = nil
        persons[id]?.guardians.removeAll { $0 == guardian }
        var voided: [Identifier] = []
        for question in questions.values.filter({ $0.personRef == person.ref }).sorted(by: { $0.id < $1.id }) {
            guard let next = question.voidingApproval(of: guardian, at: now),
                let answer = next.latestAnswers.first(where: { $0.guardian == guardian })
            else { continue }
            questions[next.id] = next
            answers[next.id] = answers[next.id]?.map { $0.revision == answer.revision ? answer : $0 }
            voided.append(next.id)
        }
        tell(.guardianUnlinked, person.ref, nil, .unlinked(guardian: guardian, voided: voided))
        return .done(.unlinked)
    }

    mutating func acknowledge(_ id: CallerID, _ change: CallerID) -> Reply {
        let verdict = Acknowledging.decide(
            person: persons[id], change: changes[change],
            existing: persons[id].flatMap { acknowledgments[$0.ref]?[change] }, policy: policy, now: now)
        switch verdict {
        case .unchanged(let given): return .done(.acknowledgment(given, person: id, created: false))
        case .refused(let refusal): return refused(refusal, id)
        case .created(let given):
            acknowledgments[given.personRef, default: [:]][change] = given
            tell(.acknowledgmentCreated, given.personRef, nil, .acknowledgment(given))
            return .done(.acknowledgment(given, person: id, created: true))
        }
    }
}
