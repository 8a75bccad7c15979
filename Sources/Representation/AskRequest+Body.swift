package import Consent
import JSON

extension AskRequest {
    /// Reads the body of `POST /v1/questions`.
    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            let person = body.callerID("person")
            var kind: Topic.Kind?
            let topic = body.object("topic") { topic in
                kind = topic.enumeration("kind", of: Topic.Kind.self)
                return topic.topic(kind)
            }
            let description = body.string("description", .optional, bytes: 1...1_000)
            if let kind, kind != .significantAppUpdate, body.isMissing("description") {
                body.refuse("description", "is required, except for a change")
            }
            let terms = body.terms()
            guard let person, let topic else { return nil }
            return AskRequest(
                person: person, topic: topic, description: description, language: terms.language,
                expiration: terms.expiration, quorum: terms.quorum)
        }
    }
}

extension AskAllRequest {
    /// Reads the body of `POST /v1/persons/{person}/questions`; the person stands in the path.
    package init(person: CallerID, body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            let terms = body.terms()
            return AskAllRequest(
                person: person, language: terms.language, expiration: terms.expiration, quorum: terms.quorum)
        }
    }
}

extension ObjectReader {
    /// What a question may be asked with, whatever it is about.
    fileprivate func terms() -> (language: String?, expiration: Instant?, quorum: Int?) {
        let language = string(
            "language", .optional, mustBe: "must be a BCP 47 language tag of at most \(LanguageTag.longest) bytes"
        ) { LanguageTag.isValid($0) ? $0 : nil }
        let expiration = timestamp("expirationDate", .optional).map(Instant.init(microseconds:))
        return (language, expiration, integer("quorum", .optional, in: 1...Policy.largestQuorum))
    }

    fileprivate func topic(_ kind: Topic.Kind?) -> Topic? {
        switch kind {
        case .significantAppUpdate:
            return callerID("change").map { .significantAppUpdate(change: $0) }
        case .communication:
            return array("handles", count: 1...100) { $0.callerID() }.map { .communication(handles: $0) }
        case .purchase:
            return callerID("product").map { .purchase(product: $0) }
        case .custom:
            let reusable = bool("reusable", .optional) ?? true
            return callerID("subject").map { .custom(subject: $0, reusable: reusable) }
        case nil:
            // Which members belong here depends on the kind: without one, calling them unknown would mislead.
            ignore("change", "handles", "product", "subject", "reusable")
            return nil
        }
    }
}
