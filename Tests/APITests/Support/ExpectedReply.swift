import Consent
import JSON
import Store

@testable import TestSupport

/// What the API must answer where the model replies so: written down here once more, apart from the server's own words.
struct ExpectedReply {
    let status: Int
    var slug: String?
    /// The whole body of a success, the conflicting question of a problem; nil where it is not looked at.
    var body: JSON?
    /// The items of many answers, or of everything asked.
    var items: [ExpectedReply]?
    var question: Identifier?
    var change: CallerID?
    /// Members that are not looked at.
    var unread: [String] = []

    init(_ status: Int, _ body: JSON?) {
        self.status = status
        self.body = body
    }

    init(_ status: Int, _ slug: String, _ current: JSON? = nil) {
        self.status = status
        self.slug = slug
        self.body = current
    }

    init(_ reply: Reply, _ model: Model) {
        switch reply {
        case .refused(let refusal, person: _, let now): self.init(refusal, model, at: now)
        case .done(let outcome): self.init(outcome, model)
        case .replayed(let status, _): self.init(status, nil as JSON?)
        }
    }

    private init(_ outcome: Outcome, _ model: Model) {
        switch outcome {
        case .asked(let record, .created): self.init(201, JSON(record.question, model, at: record.readAt))
        case .asked(let record, .existing):
            self.init(200, JSON(record.question, model, at: record.readAt).adding("existing", true))
        case .question(let record): self.init(200, JSON(record.question, model, at: record.readAt))
        case .answers(_, let results):
            self.init(200, nil as JSON?)
            items = results.map { item in
                var expected =
                    switch item.result {
                    case .accepted: ExpectedReply(200, nil as JSON?)
                    case .refused(let refusal, at: let now): ExpectedReply(refusal, model, at: now)
                    }
                expected.question = item.question
                return expected
            }
        case .askedAll(_, let results):
            self.init(200, nil as JSON?)
            items = results.map { item in
                var expected =
                    switch item.result {
                    case .asked(let record, let asked):
                        ExpectedReply(
                            asked == .created ? 201 : 200, JSON(record.question, model, at: record.readAt))
                    case .refused(let refusal, at: let now): ExpectedReply(refusal, model, at: now)
                    }
                expected.change = item.change
                return expected
            }
        case .person(let person, let created):
            let body = JSON(person.facts).adding("id", .string(person.id.text))
                .adding("personRef", .string(person.ref.text)).adding("revision", .number(Double(person.revision)))
                .adding("createdAt", JSON(person.createdAt)).adding("updatedAt", JSON(person.updatedAt))
                .adding("rescindedAt", person.rescindedAt.map { JSON($0) } ?? .null)
            self.init(created ? 201 : 200, body)
        case .link(let link, let created):
            self.init(
                created ? 201 : 200,
                [
                    "person": .string(link.person.text), "guardian": .string(link.guardian.text),
                    "createdAt": JSON(link.createdAt),
                ])
        case .acknowledgment(let given, let person, let created):
            self.init(
                created ? 201 : 200,
                [
                    "person": .string(person.text), "change": .string(given.change.text),
                    "acknowledgedAt": JSON(given.at),
                ])
        case .unlinked: self.init(204, nil as JSON?)
        case .rescinded(let standing):
            self.init(
                200,
                JSON(standing).adding("scope", .string(standing.scope.kind.rawValue))
                    .adding("change", JSON(optional: standing.scope.change?.text)))
        case .reinstated(let standing): self.init(200, JSON(standing))
        case .erased: self.init(204, nil as JSON?)
        case .change(let change, let created):
            self.init(created ? 201 : 200, JSON(change))
            // The one text for the reader, and what is wrong with the texts.
            unread = ["description", "warnings"]
        case .app(let app, let created): self.init(created ? 201 : 200, JSON(app))
        case .ageRating(let report): self.init(outcome.status, JSON(report))
        // The histories over HTTP hold none of these.
        case .key, .keyRevoked, .ticket, .used, .expired, .reminded, .forgotten, .pruned, .notification, .registered,
            .webhook:
            self.init(200, nil as JSON?)
        }
    }

    private init(_ refusal: Refusal, _ model: Model, at now: Instant) {
        func conflict(_ slug: String, _ question: Question) -> ExpectedReply {
            var expected = ExpectedReply(409, slug)
            expected.body = JSON(question, model, at: now)
            return expected
        }
        self =
            switch refusal {
            case .unknownApp: ExpectedReply(404, "app-not-found")
            case .unknownPerson: ExpectedReply(404, "person-not-found")
            case .unknownQuestion: ExpectedReply(404, "question-not-found")
            case .unknownChange: ExpectedReply(404, "change-not-found")
            case .unknownKey: ExpectedReply(404, "key-not-found")
            case .preconditionFailed: ExpectedReply(412, "precondition-failed")
            case .notAvailable: ExpectedReply(409, "not-available")
            case .blocked: ExpectedReply(409, "access-blocked")
            case .notAnAdult: ExpectedReply(409, "not-an-adult")
            case .ageUnknown: ExpectedReply(409, "age-unknown")
            case .adultNotConfirmed: ExpectedReply(409, "adult-not-confirmed")
            case .questionExpired(let question): conflict("question-expired", question)
            case .questionCancelled(let question): conflict("question-cancelled", question)
            case .questionSuperseded(let question): conflict("question-superseded", question)
            case .questionDecided(let question): conflict("question-decided", question)
            case .revisionChanged(let question): conflict("revision-changed", question)
            case .deniedRecently(let question, until: _, now: _): conflict("denied-recently", question)
            case .guardianNotLinked: ExpectedReply(422, "guardian-not-linked")
            case .quorumUnreachable: ExpectedReply(422, "quorum-unreachable")
            case .changeNotRegistered: ExpectedReply(422, "change-not-registered")
            case .expirationNotAfterNow, .expirationTooFar: ExpectedReply(422, "expiration-not-acceptable")
            case .idempotencyKeyReused: ExpectedReply(422, "idempotency-key-reused")
            case .consentRescinded(nil): ExpectedReply(409, "consent-rescinded")
            case .consentRescinded(let question?): conflict("consent-rescinded", question)
            case .changeWithdrawn(let change): ExpectedReply(409, "change-withdrawn", JSON(change))
            case .rescindedChangeNotRegistered: ExpectedReply(422, "change-not-registered")
            case .verificationRequired: ExpectedReply(422, "verification-required")
            case .observationAhead: ExpectedReply(422, "observation-not-acceptable")
            case .unknownNotification: ExpectedReply(404, "notification-not-found")
            case .accountTaken: ExpectedReply(409, "account-taken")
            case .notAttributable: ExpectedReply(409, "not-attributable")
            case .unknownWebhookEndpoint: ExpectedReply(404, "webhook-endpoint-not-found")
            case .tooManyWebhookEndpoints: ExpectedReply(409, "too-many-webhook-endpoints")
            case .webhookEndpointDisabled: ExpectedReply(409, "webhook-endpoint-disabled")
            case .unknownEvent: ExpectedReply(422, "invalid-body")
            }
    }

    func matches(_ reply: HTTPClient.Reply) -> Bool {
        guard reply.status == status, reply.slug == slug else { return false }
        if let items {
            let data = reply.json.data.array
            return data.count == items.count && zip(items, data).allSatisfy { $0.matches(item: $1) }
        }
        guard let body else { return true }
        let shown = slug == nil ? reply.json : reply.json.current
        return unread.reduce(shown) { $0.without($1) }.isSame(as: body)
    }

    private func matches(item: JSON) -> Bool {
        guard item.status.int == status else { return false }
        if let change {
            guard item.change.string == change.text else { return false }
            if slug == nil, let body { return item.question.isSame(as: body) && item.problem == .missing }
            guard item.question == .null else { return false }
        } else {
            guard item.question.identifier == question else { return false }
        }
        guard let slug else { return item.problem == .missing }
        guard item.problem.type.string?.hasSuffix("/problems/" + slug) == true else { return false }
        return body.map { item.problem.current.isSame(as: $0) } ?? true
    }
}

extension JSON {
    /// A question as the API shows it at a moment.
    init(_ stored: Question, _ model: Model, at now: Instant) {
        let question = stored.effective(at: now)
        let isKnown = model.personID(question.personRef) != nil
        let actions = isKnown ? question.allowedActions(at: now).map { JSON.string($0.rawValue) } : []
        self = [
            "id": .string(question.id.text), "app": .string(model.appID.text),
            "person": JSON(optional: model.personID(question.personRef)?.text),
            "personRef": .string(question.personRef.text), "topic": JSON(question.topic),
            "description": .string(question.description), "language": JSON(optional: question.language),
            "revision": .number(Double(question.revision)), "state": .string(question.state.rawValue),
            "quorum": .number(Double(question.quorum)), "expirationDate": JSON(question.expiration),
            "createdAt": JSON(question.createdAt), "resolution": question.resolution.map { JSON($0) } ?? .null,
            "supersededBy": JSON(optional: question.supersededBy?.text), "allowedActions": .array(actions),
        ]
    }

    private init(_ resolution: Resolution) {
        var by = "\(resolution.by)"
        var guardian: String?
        if case .guardian(let id) = resolution.by { (by, guardian) = ("guardian", id.text) }
        self = ["by": .string(by), "at": JSON(resolution.at), "reason": JSON(optional: resolution.reason)]
        if let guardian { self = adding("guardian", .string(guardian)) }
    }

    func adding(_ name: String, _ value: JSON) -> JSON {
        guard case .object(var members) = self else { return self }
        members[name] = value
        return .object(members)
    }

    func without(_ name: String) -> JSON {
        guard case .object(var members) = self else { return self }
        members[name] = nil
        return .object(members)
    }
}
