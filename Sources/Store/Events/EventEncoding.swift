import Consent
import JSON

/// Writes what an event's row keeps: for a question only what can change, for other resources the whole.
///
/// This is the database's own form, apart from the API's, so that either may change alone. Times are integers, in
/// microseconds, so that nothing is lost. No person's id is ever in it.
enum EventEncoding {
    /// Nil for a question just created: all that its event shows is in the question's row.
    static func question(_ question: Question, answer: GuardianAnswer?, evidence: Evidence?) -> [UInt8]? {
        if question.revision == 1 { return nil }
        return object { json in
            json.key("state")
            json.string(question.state.rawValue)
            if let resolution = question.resolution {
                json.key("by")
                json.string(ResolverName(resolution.by).rawValue)
                optional("guardian", resolution.guardian?.text, &json)
                json.key("at")
                json.integer(resolution.at.microseconds)
                optional("reason", resolution.reason, &json)
            }
            // Said where the state does not say it.
            if question.everApproved, question.state != .approved, question.state != .revoked {
                json.key("everApproved")
                json.bool(true)
            }
            if let successor = question.supersededBy {
                json.key("supersededBy")
                json.uuid(high: successor.high, low: successor.low)
            }
            if let answer {
                json.key("answer")
                Self.answer(answer, eventAt: question.updatedAt, &json)
            }
            if let evidence { Self.evidence(evidence, besides: answer, &json) }
        }
    }

    /// An answer is as old as its event, but for one that a store tells of.
    private static func answer(_ answer: GuardianAnswer, eventAt: Instant, _ json: inout JSONWriter) {
        json.beginObject()
        if answer.at != eventAt {
            json.key("at")
            json.integer(answer.at.microseconds)
        }
        json.key("guardian")
        json.string(answer.guardian.text)
        json.key("kind")
        json.string(answer.kind.rawValue)
        optional("reason", answer.reason, &json)
        optional("method", answer.verification?.method, &json)
        optional("reference", answer.verification?.reference, &json)
        json.endObject()
    }

    /// Short, since every decision has it: the quorum is in the question's row, and the answer that made the event is beside
    /// it, so only the others are written.
    private static func evidence(_ evidence: Evidence, besides own: GuardianAnswer?, _ json: inout JSONWriter) {
        json.key("on")
        json.beginObject()
        json.key("person")
        json.integer(evidence.personRevision)
        json.key("age")
        json.string(evidence.ageGroup.rawValue)
        json.key("app")
        json.integer(evidence.policyRevision)
        let others = evidence.answers.filter { $0.revision != own?.revision }
        if !others.isEmpty {
            json.key("answers")
            json.beginArray()
            for answer in others {
                json.beginObject()
                optional("guardian", answer.guardian.text, &json)
                optional("kind", answer.kind.rawValue, &json)
                optional("revision", answer.revision, &json)
                json.endObject()
            }
            json.endArray()
        }
        json.endObject()
    }

    /// `now` is when the event is; a person whom a batch created is a little older than that.
    static func person(_ person: Person, at now: Instant) -> [UInt8]? {
        object { json in
            switch person.facts.ageRange {
            case .notTold: break
            case .declined:
                json.key("age")
                json.string("declined")
            case .range(let lower, let upper, let declaration):
                json.key("range")
                json.beginObject()
                optional("lower", lower, &json)
                optional("upper", upper, &json)
                optional("declaration", declaration, &json)
                json.endObject()
            }
            switch person.facts.duties {
            case .notTold: break
            case .unavailable, .unsupported:
                json.key("duties")
                json.string(DutiesKind(person.facts.duties).rawValue)
            case .features(let names):
                json.key("features")
                strings(names, &json)
            }
            if let original = person.facts.original {
                json.key("original")
                json.beginObject()
                json.key("value")
                json.string(original.value)
                json.key("kind")
                json.string(original.kind.rawValue)
                json.key("environment")
                json.string(original.environment.rawValue)
                json.endObject()
            }
            optional("region", person.facts.region, &json)
            if let rescindedAt = person.rescindedAt {
                json.key("rescindedAt")
                json.integer(rescindedAt.microseconds)
            }
            json.key("createdAt")
            json.integer(person.createdAt.microseconds)
            if person.updatedAt != now {
                json.key("updatedAt")
                json.integer(person.updatedAt.microseconds)
            }
        }
    }

    static func linked(_ guardian: CallerID) -> [UInt8]? {
        object { optional("guardian", guardian.text, &$0) }
    }

    static func unlinked(_ guardian: CallerID, voided: [Identifier]) -> [UInt8]? {
        object { json in
            optional("guardian", guardian.text, &json)
            json.key("voided")
            identifiers(voided, &json)
        }
    }

    /// A rescission is learnt of when its event is.
    static func rescission(_ rescission: Rescission) -> [UInt8]? {
        object { json in
            json.key("number")
            json.integer(rescission.number)
            optional("change", rescission.scope.change?.text, &json)
            optional("reason", rescission.reason, &json)
            optional("source", rescission.source.rawValue, &json)
            json.key("effectiveAt")
            json.integer(rescission.effectiveAt.microseconds)
            json.key("freezes")
            json.bool(rescission.freezes)
            json.key("ended")
            identifiers(rescission.ended, &json)
            json.key("voided")
            identifiers(rescission.voided, &json)
            if let notice = rescission.notice {
                optional("notice", notice.id.text, &json)
                optional("environment", notice.environment.rawValue, &json)
            }
            if !rescission.withinMargin.isEmpty {
                json.key("withinMargin")
                identifiers(rescission.withinMargin, &json)
            }
        }
    }

    static func reinstated(_ ended: [Identifier]) -> [UInt8]? {
        object { json in
            json.key("ended")
            identifiers(ended, &json)
        }
    }

    static func acknowledgment(_ acknowledgment: Acknowledgment, evidence: Evidence?) -> [UInt8]? {
        object { json in
            optional("change", acknowledgment.change.text, &json)
            if let evidence { Self.evidence(evidence, besides: nil, &json) }
        }
    }

    static func change(_ change: Change) -> [UInt8]? {
        object { json in
            optional("id", change.id.text, &json)
            if change.settings.kind != .significantUpdate {
                optional("kind", change.settings.kind.rawValue, &json)
            }
            optional("version", change.settings.version, &json)
            optional("build", change.settings.build, &json)
            if let features = change.settings.features {
                json.key("features")
                strings(features, &json)
            }
            json.key("languages")
            strings(change.settings.descriptions.map(\.language), &json)
            json.key("texts")
            strings(change.settings.descriptions.map(\.text), &json)
            if let effectiveFrom = change.settings.effectiveFrom {
                json.key("effectiveFrom")
                json.integer(effectiveFrom.microseconds)
            }
            if let withdrawal = change.withdrawal {
                json.key("withdrawnAt")
                json.integer(withdrawal.at.microseconds)
                optional("withdrawalReason", withdrawal.reason, &json)
            }
            json.key("createdAt")
            json.integer(change.createdAt.microseconds)
        }
    }

    static func ageRating(_ step: AgeRatingStep) -> [UInt8]? {
        object { json in
            optional("storefront", step.scope.storefront.code, &json)
            optional("environment", step.scope.environment.rawValue, &json)
            optional("code", step.code, &json)
            optional("previousCode", step.previousCode, &json)
            json.key("observedAt")
            json.integer(step.observedAt.microseconds)
            optional("change", step.change?.text, &json)
        }
    }

    static func app(_ app: App) -> [UInt8]? {
        object { json in
            let settings = app.settings
            optional("name", settings.name, &json)
            optional("bundleId", settings.bundleID, &json)
            optional("appAppleId", settings.appAppleID, &json)
            json.key("environments")
            strings(settings.environments.map(\.rawValue), &json)
            json.key("origins")
            strings(settings.allowedOrigins, &json)
            optional("defaultExpirationSeconds", settings.policy.defaultExpirationSeconds, &json)
            optional("askAgainSeconds", settings.policy.askAgainSeconds, &json)
            optional("defaultQuorum", settings.policy.defaultQuorum, &json)
            json.key("requireGuardianLinks")
            json.bool(settings.policy.requireGuardianLinks)
            optional("adultNotConfirmed", settings.policy.adultNotConfirmed.rawValue, &json)
            json.key("policy")
            PolicyEncoding.write(settings.policy, &json)
            json.key("createdAt")
            json.integer(app.createdAt.microseconds)
        }
    }

    static func object(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.beginObject()
        write(&json)
        json.endObject()
        return json.finish()
    }

    static func optional(_ key: StaticString, _ text: String?, _ json: inout JSONWriter) {
        guard let text else { return }
        json.key(key)
        json.string(text)
    }

    private static func optional(_ key: StaticString, _ number: Int?, _ json: inout JSONWriter) {
        guard let number else { return }
        json.key(key)
        json.integer(number)
    }

    private static func identifiers(_ ids: [Identifier], _ json: inout JSONWriter) {
        json.beginArray()
        for id in ids { json.uuid(high: id.high, low: id.low) }
        json.endArray()
    }

    private static func strings(_ texts: [String], _ json: inout JSONWriter) {
        json.beginArray()
        for text in texts { json.string(text) }
        json.endArray()
    }
}
