import Consent
import JSON
import Store

/// A command as the request that means it; nil where the API has none for it.
struct Spelling {
    let method: String
    let path: String
    var body: JSON?
    var headers: [(String, String)] = []
    var isAdmins = false

    /// - Parameter app: the app's id.
    init?(_ command: Command, app: String) {
        switch command {
        case .ask(let request):
            self.init("POST", "/v1/questions", JSON(request))
        case .askAll(let request):
            let body: JSON = [
                "language": JSON(optional: request.language),
                "expirationDate": JSON(optional: request.expiration.map { RFC3339.write($0.microseconds) }),
                "quorum": request.quorum.map { .number(Double($0)) } ?? .null,
            ]
            self.init("POST", "/v1/persons/\(request.person.escaped)/questions", body)
        case .answer(let question, let answer):
            let body: JSON = [
                "guardian": .string(answer.guardian.text), "answer": .string(answer.kind.rawValue),
                "reason": JSON(optional: answer.reason), "verification": JSON(answer.verification),
            ]
            self.init("POST", "/v1/questions/\(question.text)/answers", body)
        case .answerMany(let person, let items):
            guard let first = items.first?.answer else { return nil }
            let answers = items.map { item -> JSON in
                [
                    "question": .string(item.question.text), "answer": .string(item.answer.kind.rawValue),
                    "revision": .number(Double(item.revision)), "reason": JSON(optional: item.answer.reason),
                ]
            }
            let body: JSON = [
                "guardian": .string(first.guardian.text), "verification": JSON(first.verification),
                "answers": .array(answers),
            ]
            self.init("POST", "/v1/persons/\(person.escaped)/answers", body)
        case .cancel(let question, let canceller, let reason):
            self.init("POST", "/v1/questions/\(question.text)/cancellation", ["reason": JSON(optional: reason)])
            isAdmins = canceller == .admin
        case .putPerson(let person, let facts, let precondition):
            self.init("PUT", "/v1/persons/\(person.escaped)", JSON(facts))
            headers = precondition.headers
        case .link(let person, let guardian):
            self.init("PUT", "/v1/persons/\(person.escaped)/guardians/\(guardian.escaped)", [:])
        case .unlink(let person, let guardian):
            self.init("DELETE", "/v1/persons/\(person.escaped)/guardians/\(guardian.escaped)", nil)
        case .acknowledge(let person, let change):
            self.init("PUT", "/v1/persons/\(person.escaped)/acknowledgments/\(change.escaped)", [:])
        case .putChange(let change, let settings, let precondition):
            let texts = settings.descriptions.map { ($0.language, JSON.string($0.text)) }
            let body: JSON = [
                "introducedIn": ["version": JSON(optional: settings.version), "build": JSON(optional: settings.build)],
                "features": settings.features.map { .array($0.map(JSON.string)) } ?? .null,
                "descriptions": .object(Dictionary(uniqueKeysWithValues: texts)),
                "effectiveFrom": JSON(optional: settings.effectiveFrom.map { RFC3339.write($0.microseconds) }),
            ]
            self.init("PUT", "/v1/changes/\(change.escaped)", body)
            headers = precondition.headers
        case .rescind(let person, let scope, let reason):
            var body: JSON = ["scope": .string(scope.kind.rawValue), "reason": JSON(optional: reason)]
            if let change = scope.change { body = body.adding("change", .string(change.text)) }
            self.init("POST", "/v1/persons/\(person.escaped)/rescission", body)
        case .reinstate(let person):
            self.init("POST", "/v1/persons/\(person.escaped)/reinstatement", [:])
        case .erase(let person, let canceller):
            self.init("DELETE", "/v1/persons/\(person.escaped)", nil)
            isAdmins = canceller == .admin
        case .withdrawChange(let change, let reason):
            self.init("POST", "/v1/changes/\(change.escaped)/withdrawal", ["reason": JSON(optional: reason)])
        case .observeAgeRating(let observation):
            let scope = JSON(observation.scope)
            let body = scope.adding("ageRatingCode", observation.code.map { .number(Double($0)) } ?? .null)
                .adding("observedAt", JSON(optional: observation.observedAt.map { RFC3339.write($0.microseconds) }))
            self.init("POST", "/v1/age-ratings", body)
        case .putApp(let settings, let precondition):
            self.init("PUT", "/v1/apps/\(app)", JSON(settings))
            headers = precondition.headers
            isAdmins = true
        case .expire, .remind, .createKey, .revokeKey, .keepTicket, .useTicket, .prune, .cancelWithdrawn,
            .closeWithdrawal, .receive, .register,
            .attribute, .webhook:
            return nil
        }
    }

    private init(_ method: String, _ path: String, _ body: JSON?) {
        self.method = method
        self.path = path
        self.body = body
    }

    /// Sends it as the app's service, or as an admin where only that means it.
    func send(_ app: TestApp) async throws -> HTTPClient.Reply {
        let client = isAdmins ? app.admin : app.service
        let path = isAdmins && !path.hasPrefix("/v1/apps/") ? path + "?app=\(app.id)" : path
        let type = body == nil ? [] : [("Content-Type", "application/json")]
        return try await client.send(method, path, type + headers, body?.encoded)
    }
}

extension Precondition {
    fileprivate var headers: [(String, String)] {
        switch self {
        case .none: []
        case .exists: [("If-Match", "*")]
        case .absent: [("If-None-Match", "*")]
        case .revisions(let revisions): [("If-Match", revisions.map { "\"\($0)\"" }.joined(separator: ", "))]
        }
    }
}

extension CallerID {
    /// As a path segment.
    var escaped: String {
        text.utf8.map { byte in
            byte < 0x80 && byte != UInt8(ascii: "%")
                ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}

extension JSON {
    init(optional text: String?) {
        self = text.map(JSON.string) ?? .null
    }

    init(_ verification: Verification?) {
        self =
            verification.map { ["method": .string($0.method), "reference": JSON(optional: $0.reference)] } ?? .null
    }

    fileprivate init(_ request: AskRequest) {
        self = [
            "person": .string(request.person.text), "topic": JSON(request.topic),
            "description": JSON(optional: request.description), "language": JSON(optional: request.language),
            "expirationDate": JSON(optional: request.expiration.map { RFC3339.write($0.microseconds) }),
            "quorum": request.quorum.map { .number(Double($0)) } ?? .null,
        ]
    }

    init(_ scope: AgeRatingScope) {
        self = ["storefront": .string(scope.storefront.code), "environment": .string(scope.environment.rawValue)]
    }

    init(_ settings: AppSettings) {
        self = [
            "name": .string(settings.name), "bundleId": JSON(optional: settings.bundleID),
            "appAppleId": JSON(optional: settings.appAppleID),
            "environments": .array(settings.environments.map { .string($0.rawValue) }),
            "allowedOrigins": .array(settings.allowedOrigins.map(JSON.string)), "policy": JSON(settings.policy),
        ]
    }

    init(_ policy: Policy) {
        func seconds(_ value: Int) -> JSON { .number(Double(value)) }
        self = [
            "defaultExpirationSeconds": seconds(policy.defaultExpirationSeconds),
            "longestExpirationSeconds": seconds(policy.longestExpirationSeconds),
            "askAgainSeconds": seconds(policy.askAgainSeconds), "defaultQuorum": seconds(policy.defaultQuorum),
            "requireGuardianLinks": .bool(policy.requireGuardianLinks),
            "adultNotConfirmed": .string(policy.adultNotConfirmed.rawValue),
            "ageRangeDeclined": .string(policy.ageRangeDeclined.rawValue),
            "ageUnknown": .string(policy.ageUnknown.rawValue),
            "featuresUnavailable": .string(policy.featuresUnavailable.rawValue),
            "featuresUnknown": .string(policy.featuresUnknown.rawValue),
            "featuresUnsupported": .string(policy.featuresUnsupported.rawValue),
            "sandboxExempts": .bool(policy.sandboxExempts),
            "verificationMethods": .array(policy.verificationMethods.map(JSON.string)), "regions": [],
            "ageRatingOpensChange": .bool(policy.ageRatingOpensChange),
            "reminderSeconds": seconds(policy.reminderSeconds),
            "rescissionMarginSeconds": seconds(policy.rescissionMarginSeconds),
        ]
    }

    init(_ topic: Topic) {
        switch topic {
        case .significantAppUpdate(let change):
            self = ["kind": "significantAppUpdate", "change": .string(change.text)]
        case .communication(let handles):
            self = ["kind": "communication", "handles": .array(handles.map { .string($0.text) })]
        case .purchase(let product):
            self = ["kind": "purchase", "product": .string(product.text)]
        case .custom(let subject, let reusable):
            self = ["kind": "custom", "subject": .string(subject.text), "reusable": .bool(reusable)]
        }
    }

    init(_ facts: PersonFacts) {
        let age: JSON =
            switch facts.ageRange {
            case .notTold: .null
            case .declined: "declined"
            case .range(let lower, let upper, let declaration):
                [
                    "lowerBound": lower.map { .number(Double($0)) } ?? .null,
                    "upperBound": upper.map { .number(Double($0)) } ?? .null,
                    "declaration": JSON(optional: declaration),
                ]
            }
        let duties: JSON =
            switch facts.duties {
            case .notTold: .null
            case .unavailable: "unavailable"
            case .unsupported: "unsupported"
            case .features(let names): .array(names.map(JSON.string))
            }
        let original: JSON? = facts.original.map {
            [
                "value": .string($0.value), "kind": .string($0.kind.rawValue),
                "environment": .string($0.environment.rawValue),
            ]
        }
        self = [
            "ageRange": age, "requiredRegulatoryFeatures": duties, "original": original ?? .null,
            "region": JSON(optional: facts.region),
        ]
    }

    /// As text; the strings in it hold nothing that would need an escape.
    var encoded: String {
        switch self {
        case .null, .missing: "null"
        case .bool(let value): "\(value)"
        case .number(let value): "\(Int(value))"
        case .string(let text): "\"\(text)\""
        case .array(let elements): "[" + elements.map(\.encoded).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value.encoded)" }.joined(separator: ",")
                + "}"
        }
    }
}

extension JSON: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(Dictionary(uniqueKeysWithValues: members))
    }
}
