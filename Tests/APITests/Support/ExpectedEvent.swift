import Consent
import Store

@testable import TestSupport

/// What an entry of the log must read where the model tells so, its id and number apart.
struct ExpectedEvent {
    private let told: Told
    private let person: CallerID?
    private let model: Model

    /// - Parameter model: as it is after the event.
    init(_ told: Told, _ model: Model) {
        self.told = told
        self.model = model
        person = told.personRef.flatMap { model.personID($0) }
    }

    func matches(_ event: JSON) -> Bool {
        var expected: JSON = [
            "type": .string(told.type.rawValue), "timestamp": JSON(told.at), "app": .string(model.appID.text),
            "person": JSON(optional: person?.text), "personRef": JSON(optional: told.personRef?.text),
            "revision": JSON(optional: told.revision), "data": data,
        ]
        if case .question(_, let answer?) = told.data { expected = expected.adding("answer", JSON(answer)) }
        if let evidence = told.evidence { expected = expected.adding("evidence", JSON(evidence)) }
        return event.without("id").without("seq").isSame(as: expected)
    }

    private var data: JSON {
        let subject: JSON = ["person": JSON(optional: person?.text)]
        switch told.data {
        case .question(let question, answer: _): return JSON(question, model, at: told.at)
        case .person(let facts, let rescindedAt, let revision, let createdAt, let updatedAt):
            return JSON(facts).adding("id", JSON(optional: person?.text))
                .adding("personRef", JSON(optional: told.personRef?.text)).adding("revision", JSON(optional: revision))
                .adding("createdAt", JSON(createdAt)).adding("updatedAt", JSON(updatedAt))
                .adding("rescindedAt", JSON(optional: rescindedAt))
        case .rescission(let rescission):
            return subject.adding("scope", .string(rescission.scope.kind.rawValue))
                .adding("change", JSON(optional: rescission.scope.change?.text))
                .adding("reason", JSON(optional: rescission.reason))
                .adding("source", .string(rescission.source.rawValue))
                .adding("effectiveAt", JSON(rescission.effectiveAt))
                .adding("receivedAt", JSON(rescission.receivedAt)).adding("freezes", .bool(rescission.freezes))
                .adding("ended", JSON(rescission.ended)).adding("voidedApprovals", JSON(rescission.voided))
                .adding("withinMargin", JSON(rescission.withinMargin))
                .adding("checklist", .array(rescission.checklist.map { .string($0.rawValue) }))
                .adding("notification", JSON(optional: rescission.notice?.id.text))
                .adding("environment", JSON(optional: rescission.notice?.environment.rawValue))
                .adding("endedAt", JSON(optional: rescission.endedAt))
        case .reinstated(let ended):
            return subject.adding("reinstatedAt", JSON(told.at)).adding("ended", JSON(ended))
        case .erased: return ["personRef": JSON(optional: told.personRef?.text)]
        case .linked(let guardian):
            return subject.adding("guardian", .string(guardian.text)).adding("createdAt", JSON(told.at))
        case .unlinked(let guardian, let voided):
            return subject.adding("guardian", .string(guardian.text)).adding("voidedApprovals", JSON(voided))
        case .acknowledgment(let given):
            return subject.adding("change", .string(given.change.text)).adding("acknowledgedAt", JSON(given.at))
        case .change(let change): return JSON(change)
        case .ageRating(let step): return JSON(step)
        case .app(let app): return JSON(app)
        // No history over HTTP has stores in it: what they send comes signed.
        case .notification, .account, .key, .webhookDisabled: return .missing
        }
    }
}

extension JSON {
    fileprivate init(_ evidence: Evidence) {
        let answers = evidence.answers.map { answer -> JSON in
            [
                "guardian": .string(answer.guardian.text), "answer": .string(answer.kind.rawValue),
                "revision": JSON(optional: answer.revision),
            ]
        }
        self = [
            "personRevision": JSON(optional: evidence.personRevision),
            "ageGroup": .string(evidence.ageGroup.rawValue), "policyRevision": JSON(optional: evidence.policyRevision),
            "quorum": JSON(optional: evidence.quorum), "answers": .array(answers),
        ]
    }
}
