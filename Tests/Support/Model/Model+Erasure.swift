import Consent
import Store

extension Model {
    /// What waits ends; then everything that callers wrote of the person goes, and what happened stays under their ref.
    mutating func erase(_ id: CallerID, _ canceller: Canceller) -> Reply {
        guard let person = persons[id] else { return refused(.unknownPerson) }
        let asked = questions.values.filter { $0.personRef == person.ref }.sorted { $0.id < $1.id }
        for question in asked where question.state == .pending {
            let end = QuestionInput.cancel(by: canceller, reason: nil)
            _ = question.isOverdue(at: now) ? expire(question.id) : input(end, to: question.id)
        }
        tell(.personErased, person.ref, nil, .erased)
        for question in asked {
            guard var next = questions[question.id] else { continue }
            next = next.erased(chosen.names)
            next.revision += 1
            next.updatedAt = now
            questions[next.id] = next
            answers[next.id] = answers[next.id]?.map { $0.erased(chosen.names) }
        }
        rescissions[person.ref] = rescissions[person.ref]?.map(\.erased)
        kept = kept.filter { !$0.value.resource.names(id) }
        persons[id] = nil
        links[id] = nil
        return .done(.erased)
    }
}

extension Told {
    /// As the log tells it once the person is erased.
    func erased(_ names: [CallerID: CallerID]) -> Told {
        var told = self
        switch data {
        case .question(let question, let answer):
            told.data = .question(question.erased(names), answer: answer?.erased(names))
        case .rescission(let rescission): told.data = .rescission(rescission.erased)
        case .linked(let guardian): told.data = .linked(guardian: names[guardian] ?? guardian)
        case .unlinked(let guardian, let voided):
            told.data = .unlinked(guardian: names[guardian] ?? guardian, voided: voided)
        case .person, .reinstated, .erased, .acknowledgment, .change, .ageRating, .notification, .account, .app, .key,
            .webhookDisabled:
            break
        }
        told.evidence = evidence?.erased(names)
        return told
    }
}

extension Evidence {
    func erased(_ names: [CallerID: CallerID]) -> Evidence {
        Evidence(
            personRevision: personRevision, ageGroup: ageGroup, policyRevision: policyRevision, quorum: quorum,
            answers: answers.map {
                CountedAnswer(guardian: names[$0.guardian] ?? $0.guardian, kind: $0.kind, revision: $0.revision)
            })
    }
}

extension Question {
    /// Without what callers wrote; of a topic only a change stays.
    func erased(_ names: [CallerID: CallerID]) -> Question {
        var by = resolution?.by
        if case .guardian(let guardian) = by { by = .guardian(names[guardian] ?? guardian) }
        var question = Question(
            id: id, personRef: personRef, topic: topic.erased, description: "erased", language: language,
            quorum: quorum, expiration: expiration, createdAt: createdAt, revision: revision, state: state,
            everApproved: everApproved,
            resolution: resolution.flatMap { old in by.map { Resolution(by: $0, at: old.at, reason: nil) } },
            supersededBy: supersededBy, updatedAt: updatedAt, remindedAt: remindedAt)
        question.latestAnswers = latestAnswers.map { $0.erased(names) }
        return question
    }
}

extension Topic {
    fileprivate var erased: Topic {
        switch self {
        case .significantAppUpdate: self
        case .communication: .communication(handles: ["erased"])
        case .purchase: .purchase(product: "erased")
        case .custom(subject: _, let reusable): .custom(subject: "erased", reusable: reusable)
        }
    }
}

extension GuardianAnswer {
    fileprivate func erased(_ names: [CallerID: CallerID]) -> GuardianAnswer {
        GuardianAnswer(
            guardian: names[guardian] ?? guardian, kind: kind, reason: nil,
            verification: verification.map { Verification(method: $0.method, reference: nil) }, at: at,
            revision: revision, voidedAt: voidedAt)
    }
}

extension Rescission {
    fileprivate var erased: Rescission {
        Rescission(
            personRef: personRef, number: number, scope: scope, reason: nil, source: source, effectiveAt: effectiveAt,
            receivedAt: receivedAt, ended: ended, voided: voided, freezes: freezes, endedAt: endedAt)
    }
}
