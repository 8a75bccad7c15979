import Consent

/// Commands about persons, their guardians and their acknowledgments.
extension BatchState {
    mutating func putPerson(_ id: CallerID, _ facts: PersonFacts, _ precondition: Precondition) -> Reply {
        guard var person = row(id) else { return refused(.unknownPerson) }
        let existing = self.person(id)
        guard precondition.allows(revision: existing?.revision) else {
            return refused(.preconditionFailed, person: id)
        }
        person.facts = facts
        // As bytes: by `==` a text that only recomposes its accents would count as the same.
        if let existing, EventEncoding.person(existing, at: now) == EventEncoding.person(person, at: now) {
            return .done(.person(existing, created: false))
        }
        if existing != nil {
            person.revision += 1
            person.updatedAt = now
        }
        store(person)
        if existing == nil { use(person) } else { tell(person) }
        return .done(.person(person, created: existing == nil))
    }

    mutating func link(_ id: CallerID, _ guardian: CallerID) -> Reply {
        guard var person = row(id) else { return refused(.unknownPerson) }
        if let since = link(person, guardian) {
            return .done(.link(GuardianLink(person: id, guardian: guardian, createdAt: since), created: false))
        }
        use(person)
        if !person.everLinked {
            person.everLinked = true
            store(person)
        }
        store(LinkName(personRef: person.ref, guardian: guardian), of: id)
        tell(person, .guardianLinked, EventEncoding.linked(guardian))
        return .done(.link(GuardianLink(person: id, guardian: guardian, createdAt: now), created: true))
    }

    /// Takes the link away; on questions that still wait, the guardian's approval counts no more.
    mutating func unlink(_ id: CallerID, _ guardian: CallerID) -> Reply {
        guard let person = person(id) else { return refused(.unknownPerson) }
        guard link(person, guardian) != nil else { return .done(.unlinked) }
        remove(LinkName(personRef: person.ref, guardian: guardian), of: id)
        var voided: [Identifier] = []
        for question in questions(of: person) {
            guard let next = question.voidingApproval(of: guardian, at: now) else { continue }
            store(voided: next, guardian: guardian)
            voided.append(next.id)
        }
        tell(person, .guardianUnlinked, EventEncoding.unlinked(guardian, voided: voided))
        return .done(.unlinked)
    }

    mutating func acknowledge(_ id: CallerID, _ change: CallerID) -> Reply {
        let person = person(id)
        let verdict = Acknowledging.decide(
            person: person, change: changes[change], existing: acknowledgment(person, change), policy: policy, now: now)
        switch verdict {
        case .unchanged(let acknowledgment):
            return .done(.acknowledgment(acknowledgment, person: id, created: false))
        case .refused(let refusal): return refused(refusal, person: id)
        case .created(let acknowledgment):
            store(new: acknowledgment)
            writes.events.append(
                PendingEvent(
                    type: .acknowledgmentCreated, personRef: acknowledgment.personRef, question: nil, revision: nil,
                    data: EventEncoding.acknowledgment(acknowledgment, evidence: evidence(person))))
            return .done(.acknowledgment(acknowledgment, person: id, created: true))
        }
    }

    private mutating func tell(_ person: Person, _ event: EventType, _ data: [UInt8]?) {
        writes.events.append(
            PendingEvent(type: event, personRef: person.ref, question: nil, revision: nil, data: data))
    }
}
