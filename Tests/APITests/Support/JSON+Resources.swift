import Consent
import JSON
import Store

/// Resources as the API shows them, written down once more apart from the server's own words.
extension JSON {
    init(_ moment: Instant) {
        self = .string(RFC3339.write(moment.microseconds))
    }

    init(optional moment: Instant?) {
        self = moment.map { JSON($0) } ?? .null
    }

    init(optional number: Int?) {
        self = number.map { .number(Double($0)) } ?? .null
    }

    init(_ ids: [Identifier]) {
        self = .array(ids.map { .string($0.text) })
    }

    init(_ answer: GuardianAnswer) {
        self = [
            "guardian": .string(answer.guardian.text), "answer": .string(answer.kind.rawValue),
            "reason": JSON(optional: answer.reason), "verification": JSON(answer.verification),
            "answeredAt": JSON(answer.at), "revision": JSON(optional: answer.revision),
            "voidedAt": JSON(optional: answer.voidedAt),
        ]
    }

    init(_ standing: ConsentStanding) {
        self = [
            "person": .string(standing.person.id.text), "personRef": .string(standing.person.ref.text),
            "rescindedAt": JSON(optional: standing.person.rescindedAt), "ended": JSON(standing.ended),
        ]
    }

    init(_ change: Change) {
        let settings = change.settings
        let texts = settings.descriptions.map { ($0.language, JSON.string($0.text)) }
        self = [
            "id": .string(change.id.text), "kind": .string(settings.kind.rawValue),
            "introducedIn": ["version": JSON(optional: settings.version), "build": JSON(optional: settings.build)],
            "features": settings.features.map { .array($0.map(JSON.string)) } ?? .null,
            "descriptions": .object(Dictionary(uniqueKeysWithValues: texts)),
            "effectiveFrom": JSON(optional: settings.effectiveFrom),
            "withdrawnAt": JSON(optional: change.withdrawal?.at),
            "withdrawalReason": JSON(optional: change.withdrawal?.reason),
            "revision": JSON(optional: change.revision), "createdAt": JSON(change.createdAt),
            "updatedAt": JSON(change.updatedAt),
        ]
    }

    init(_ app: App) {
        self = JSON(app.settings).adding("id", .string(app.id.text)).adding("revision", JSON(optional: app.revision))
            .adding("createdAt", JSON(app.createdAt)).adding("updatedAt", JSON(app.updatedAt))
    }

    init(_ report: AgeRatingReport) {
        self = [
            "outcome": .string(report.outcome.rawValue), "baseline": report.baseline.map { JSON($0) } ?? .null,
            "previousCode": JSON(optional: report.previousCode), "change": JSON(optional: report.change?.text),
        ]
    }

    private init(_ rating: AgeRating) {
        self = JSON(rating.scope).adding("ageRatingCode", JSON(optional: rating.code))
            .adding("revision", JSON(optional: rating.revision)).adding("observedAt", JSON(rating.observedAt))
            .adding("lastObservedAt", JSON(rating.lastObservedAt)).adding("recordedAt", JSON(rating.recordedAt))
    }

    init(_ step: AgeRatingStep) {
        self = JSON(step.scope).adding("revision", JSON(optional: step.revision))
            .adding("ageRatingCode", JSON(optional: step.code)).adding(
                "previousCode", JSON(optional: step.previousCode)
            )
            .adding("observedAt", JSON(step.observedAt)).adding("recordedAt", JSON(step.recordedAt))
            .adding("change", JSON(optional: step.change?.text))
    }

    init(_ decision: AccessDecision) {
        let blocked: JSON =
            switch decision.blocked {
            case .app: ["app": true, "features": []]
            case .features(let names): ["app": false, "features": .array(names.map(JSON.string))]
            }
        let changes = decision.changes.map { change -> JSON in
            [
                "change": .string(change.change.text), "status": .string(change.status.rawValue),
                "question": JSON(optional: change.question?.text),
            ]
        }
        self = [
            "phase": .string(decision.phase.rawValue), "reason": JSON(optional: decision.reason?.rawValue),
            "blocked": blocked, "changes": .array(changes), "validUntil": JSON(optional: decision.validUntil),
        ]
    }
}
