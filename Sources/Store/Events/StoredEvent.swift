import Consent
import JSON

/// An event's row, whose JSON is read back into the resource as it was (the counterpart of `EventEncoding`).
struct StoredEvent {
    let type: EventType
    let at: Instant
    let revision: Int?
    let app: AppID
    let personRef: Identifier?
    /// The question's row as it is now; its lasting parts are the event's too.
    let question: Question?

    /// Nil for what no version wrote; `evidence` is set where the event keeps some.
    func data(_ json: [UInt8]?, _ evidence: inout Evidence?) -> EventData? {
        switch type {
        case .questionCreated, .questionAnswered, .questionPending, .questionExpiring, .questionApproved,
            .questionDenied,
            .questionRevoked, .questionExpired, .questionCancelled, .questionSuperseded:
            guard let question else { return nil }
            return pastQuestion(question, json, &evidence)
        case .personUpdated: return read(json, person)
        case .personRescinded: return read(json, rescission)
        case .personReinstated:
            return read(json) { $0.identifiers("ended").map { .reinstated(ended: $0) } }
        case .personErased: return .erased
        case .guardianLinked: return read(json) { $0.guardian.map { .linked(guardian: $0) } }
        case .guardianUnlinked: return read(json, unlinked)
        case .acknowledgmentCreated: return read(json) { acknowledgment($0, &evidence) }
        case .changeRegistered, .changeUpdated, .changeWithdrawn: return read(json, change)
        case .ageRatingBaselineSet, .ageRatingChanged: return read(json, ageRating)
        case .notificationReceived, .notificationQuarantined, .notificationUnattributed:
            return read(json, notification)
        case .accountRegistered: return read(json, account)
        case .appUpdated: return read(json, appData)
        case .keyCreated, .keyRevoked: return read(json, key)
        case .webhookEndpointDisabled: return read(json, webhookDisabled)
        }
    }

    private func read(_ json: [UInt8]?, _ body: (ObjectReader) -> EventData?) -> EventData? {
        guard let json, let document = try? JSONDocument.parse(json) else { return nil }
        return try? document.readObject(body)
    }

    private func pastQuestion(_ now: Question, _ json: [UInt8]?, _ evidence: inout Evidence?) -> EventData? {
        var past = now
        past.revision = revision ?? 1
        past.updatedAt = at
        past.state = .pending
        past.everApproved = false
        past.resolution = nil
        past.supersededBy = nil
        if let reminded = now.remindedAt, reminded > at { past.remindedAt = nil }
        guard json != nil else { return .question(past, answer: nil) }
        return read(json) { object in
            guard let state = object.enumeration("state", of: QuestionState.self) else { return nil }
            past.state = state
            past.everApproved =
                state == .approved || state == .revoked || object.bool("everApproved", .optional) == true
            past.supersededBy = object.identifier("supersededBy")
            let guardian = object.guardian
            let moment = object.instant("at")
            let reason = object.string("reason", .optional)
            if let name = object.name("by", ResolverName.init(rawValue:)), let moment,
                let resolver = name.resolver(guardian: guardian)
            {
                past.resolution = Resolution(by: resolver, at: moment, reason: reason)
            }
            let answer = object.object("answer", .optional, self.answer)
            evidence = self.evidence(object, quorum: past.quorum, answer)
            return .question(past, answer: answer)
        }
    }

    /// `own`: the answer that made the event, which is not written again; it is the last one given.
    private func evidence(_ object: ObjectReader, quorum: Int?, _ own: GuardianAnswer?) -> Evidence? {
        object.object("on", .optional) { on in
            guard let person = on.integer("person"), let age = on.enumeration("age", of: AgeGroup.self),
                let app = on.integer("app")
            else { return nil }
            var answers: [Evidence.CountedAnswer] =
                on.array("answers", .optional, count: 0...Int.max) { element in
                    element.object { answer in
                        guard let guardian = answer.guardian, let revision = answer.integer("revision"),
                            let kind = answer.enumeration("kind", of: AnswerKind.self)
                        else { return nil }
                        return Evidence.CountedAnswer(guardian: guardian, kind: kind, revision: revision)
                    }
                } ?? []
            if let own {
                answers.append(.init(guardian: own.guardian, kind: own.kind, revision: own.revision))
            }
            return Evidence(
                personRevision: person, ageGroup: age, policyRevision: app, quorum: quorum, answers: answers)
        }
    }

    private func answer(_ object: ObjectReader) -> GuardianAnswer? {
        let reference = object.string("reference", .optional)
        let method = object.string("method", .optional)
        guard let guardian = object.guardian, let kind = object.enumeration("kind", of: AnswerKind.self) else {
            return nil
        }
        return GuardianAnswer(
            guardian: guardian, kind: kind, reason: object.string("reason", .optional),
            verification: method.map { Verification(method: $0, reference: reference) },
            at: object.instant("at") ?? at, revision: revision ?? 1)
    }

    private func person(_ object: ObjectReader) -> EventData? {
        var facts = PersonFacts()
        if object.string("age", .optional) == "declined" { facts.ageRange = .declined }
        if let range: AgeRange = object.object(
            "range", .optional,
            {
                .range(
                    lower: $0.integer("lower", .optional), upper: $0.integer("upper", .optional),
                    declaration: $0.string("declaration", .optional))
            })
        {
            facts.ageRange = range
        }
        switch object.string("duties", .optional) {
        case "unavailable": facts.duties = .unavailable
        case "unsupported": facts.duties = .unsupported
        default: break
        }
        if let features = object.texts("features") { facts.duties = .features(features) }
        facts.original = object.object("original", .optional) { original in
            guard let value = original.string("value"),
                let kind = original.enumeration("kind", of: OriginalVersion.Kind.self),
                let environment = original.enumeration("environment", of: OriginalVersion.Environment.self)
            else { return nil }
            return OriginalVersion(value: value, kind: kind, environment: environment)
        }
        facts.region = object.string("region", .optional)
        guard let createdAt = object.instant("createdAt") else { return nil }
        let updatedAt = object.instant("updatedAt") ?? at
        return .person(
            facts, rescindedAt: object.instant("rescindedAt"), revision: revision ?? 1, createdAt: createdAt,
            updatedAt: updatedAt)
    }

    private func unlinked(_ object: ObjectReader) -> EventData? {
        guard let guardian = object.guardian, let voided = object.identifiers("voided") else { return nil }
        return .unlinked(guardian: guardian, voided: voided)
    }

    private func rescission(_ object: ObjectReader) -> EventData? {
        guard let personRef, let number = object.integer("number"),
            let source = object.enumeration("source", of: RescissionSource.self),
            let effectiveAt = object.instant("effectiveAt"), let freezes = object.bool("freezes"),
            let ended = object.identifiers("ended"), let voided = object.identifiers("voided")
        else { return nil }
        let change = object.string("change", .optional).map { CallerID(trusted: $0) }
        let notice = object.identifier("notice")
        let environment = object.enumeration("environment", .optional, of: OriginalVersion.Environment.self)
        return .rescission(
            Rescission(
                personRef: personRef, number: number, scope: change.map { .change($0) } ?? .person,
                reason: object.string("reason", .optional), source: source, effectiveAt: effectiveAt, receivedAt: at,
                notice: notice.flatMap { id in environment.map { Rescission.Notice(id: id, environment: $0) } },
                ended: ended, voided: voided, withinMargin: object.identifiers("withinMargin") ?? [],
                freezes: freezes))
    }

    private func notification(_ object: ObjectReader) -> EventData? {
        let signedDate = object.instant("signedDate")
        let quarantine: Quarantine? = object.object("quarantine", .optional) { quarantine in
            guard let reason = quarantine.string("reason") else { return nil }
            return Quarantine(
                reason: reason, field: quarantine.string("field", .optional),
                expected: quarantine.string("expected", .optional), seen: quarantine.string("seen", .optional))
        }
        guard let id = object.identifier("id"), let store = object.enumeration("store", of: StoreName.self),
            let receivedAt = object.instant("receivedAt"),
            let status = object.enumeration("status", of: StoreNotification.Status.self)
        else { return nil }
        return .notification(
            StoreNotification(
                id: id, store: store, uuid: object.string("uuid", .optional), type: object.string("type", .optional),
                subtype: object.string("subtype", .optional),
                environment: object.enumeration("environment", .optional, of: OriginalVersion.Environment.self),
                signedDate: signedDate, receivedAt: receivedAt, status: status, quarantine: quarantine,
                isRescission: object.bool("rescinds", .optional) ?? false, personRef: personRef))
    }

    private func account(_ object: ObjectReader) -> EventData? {
        guard let store = object.enumeration("store", of: StoreName.self),
            let environment = object.enumeration("environment", of: OriginalVersion.Environment.self),
            let isSigned = object.bool("signed")
        else { return nil }
        return .account(store, environment, isSigned: isSigned)
    }

    private func acknowledgment(_ object: ObjectReader, _ evidence: inout Evidence?) -> EventData? {
        evidence = self.evidence(object, quorum: nil, nil)
        guard let change = object.string("change"), let personRef else { return nil }
        return .acknowledgment(Acknowledgment(personRef: personRef, change: CallerID(trusted: change), at: at))
    }

    private func change(_ object: ObjectReader) -> EventData? {
        let languages = object.texts("languages") ?? []
        let texts = object.texts("texts") ?? []
        let settings = ChangeSettings(
            kind: object.enumeration("kind", .optional, of: ChangeSettings.Kind.self) ?? .significantUpdate,
            version: object.string("version", .optional), build: object.string("build", .optional),
            features: object.texts("features"),
            descriptions: zip(languages, texts).map { LocalizedText(language: $0, text: $1) },
            effectiveFrom: object.instant("effectiveFrom"))
        let reason = object.string("withdrawalReason", .optional)
        let withdrawal = object.instant("withdrawnAt").map { Change.Withdrawal(at: $0, reason: reason) }
        guard let id = object.string("id"), let createdAt = object.instant("createdAt") else { return nil }
        return .change(
            Change(
                id: CallerID(trusted: id), settings: settings, revision: revision ?? 1, createdAt: createdAt,
                updatedAt: at, withdrawal: withdrawal))
    }

    private func ageRating(_ object: ObjectReader) -> EventData? {
        guard let storefront = object.string("storefront"),
            let environment = object.enumeration("environment", of: OriginalVersion.Environment.self),
            let code = object.integer("code"), let observedAt = object.instant("observedAt")
        else { return nil }
        return .ageRating(
            AgeRatingStep(
                scope: AgeRatingScope(storefront: Storefront(trusted: storefront), environment: environment),
                revision: revision ?? 1, code: code, previousCode: object.integer("previousCode", .optional),
                observedAt: observedAt, recordedAt: at,
                change: object.string("change", .optional).map { CallerID(trusted: $0) }))
    }

    private func appData(_ object: ObjectReader) -> EventData? {
        var policy = Policy()
        policy.defaultExpirationSeconds = object.integer("defaultExpirationSeconds") ?? policy.defaultExpirationSeconds
        policy.askAgainSeconds = object.integer("askAgainSeconds") ?? policy.askAgainSeconds
        policy.defaultQuorum = object.integer("defaultQuorum") ?? policy.defaultQuorum
        policy.requireGuardianLinks = object.bool("requireGuardianLinks") ?? policy.requireGuardianLinks
        policy.adultNotConfirmed =
            object.enumeration("adultNotConfirmed", of: Policy.UnconfirmedAdult.self) ?? policy.adultNotConfirmed
        _ = object.object("policy", .optional) { PolicyEncoding.read($0, into: &policy) }
        let environments = object.texts("environments") ?? []
        let settings = AppSettings(
            name: object.string("name") ?? "", bundleID: object.string("bundleId", .optional),
            appAppleID: object.string("appAppleId", .optional),
            environments: environments.compactMap(OriginalVersion.Environment.init(rawValue:)),
            allowedOrigins: object.texts("origins") ?? [], policy: policy)
        guard let createdAt = object.instant("createdAt") else { return nil }
        return .app(App(id: app, settings: settings, revision: revision ?? 1, createdAt: createdAt, updatedAt: at))
    }

    private func webhookDisabled(_ object: ObjectReader) -> EventData? {
        guard let endpoint = object.identifier("id"),
            let reason = object.enumeration("reason", of: WebhookEndpoint.DisabledReason.self)
        else { return nil }
        return .webhookDisabled(
            WebhookDisabling(endpoint: endpoint, reason: reason, failingSince: object.instant("failingSince")))
    }

    private func key(_ object: ObjectReader) -> EventData? {
        guard let id = object.identifier("id"), let role = object.enumeration("role", of: Role.self),
            let label = object.string("label"), let createdAt = object.instant("createdAt")
        else { return nil }
        return .key(
            APIKey(
                id: id, app: app, role: role, label: label, createdAt: createdAt,
                revokedAt: object.instant("revokedAt")))
    }
}

extension ObjectReader {
    fileprivate var guardian: CallerID? { string("guardian", .optional).map { CallerID(trusted: $0) } }

    fileprivate func identifier(_ name: StaticString) -> Identifier? {
        string(name, .optional).flatMap { Identifier($0) }
    }

    fileprivate func instant(_ name: StaticString) -> Instant? {
        integer(name, .optional).map { Instant(microseconds: Int64($0)) }
    }

    fileprivate func name<Name>(_ name: StaticString, _ parse: (String) -> Name?) -> Name? {
        string(name, .optional).flatMap(parse)
    }

    fileprivate func identifiers(_ name: StaticString) -> [Identifier]? {
        texts(name).map { $0.compactMap { Identifier($0) } }
    }

    fileprivate func texts(_ name: StaticString) -> [String]? {
        strings(name, .optional, count: 0...Int.max, bytes: 0...Int.max)
    }
}
