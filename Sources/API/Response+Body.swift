import Consent
import HTTPServer
import JSON
import Representation
import Store

/// Answers with a body, each with the headers that every JSON answer has.
extension Response {
    /// - Parameter tag: the entity tag, in its quotes.
    static func json(
        _ status: Int, tag: String? = nil, location: String? = nil, capacity: Int = 1_024,
        _ write: (inout JSONWriter) -> Void
    ) -> Response {
        var writer = JSONWriter(capacity: capacity)
        write(&writer)
        var headers: [HeaderField] = []
        headers.reserveCapacity(8)
        headers.append(HeaderField("Content-Type", "application/json"))
        headers.append(HeaderField("Cache-Control", "no-store"))
        headers.append(HeaderField("X-Content-Type-Options", "nosniff"))
        if let tag { headers.append(HeaderField("ETag", tag)) }
        if let location { headers.append(HeaderField("Location", location)) }
        return Response(status: status, headers: headers, body: writer.finish())
    }

    static func question(
        _ record: QuestionRecord, status: Int, location: Bool = false, existing: Bool = false
    ) -> Response {
        let question = record.question
        return json(
            status, tag: EntityTag.of(question), location: location ? "/v1/questions/" + question.id.text : nil
        ) { $0.question(record, existing: existing) }
    }

    static func person(_ person: Person, status: Int, location: String? = nil) -> Response {
        json(status, tag: EntityTag.of(revision: person.revision), location: location) { $0.person(person) }
    }

    static func streamTicket(_ ticket: NewTicket?, expiresAt: Instant, status: Int) -> Response {
        json(status) { $0.streamTicket(ticket?.text, after: ticket?.cursor, expiresAt: expiresAt) }
    }

    static func link(_ link: GuardianLink, status: Int, location: String? = nil) -> Response {
        json(status, location: location) { $0.guardianLink(link) }
    }

    static func acknowledgment(
        _ acknowledgment: Acknowledgment, _ person: CallerID, status: Int, location: String? = nil
    ) -> Response {
        json(status, location: location) {
            $0.acknowledgment(person: person, change: acknowledgment.change, at: acknowledgment.at)
        }
    }

    /// A change with the description that the request's reader understands best; a PUT is also told what is wrong with
    /// any of them.
    static func change(_ change: Change, status: Int, location: String? = nil, for request: Request) -> Response {
        let description = change.settings.text(for: AcceptLanguage.languages(request.headers))
        let warnings = request.method == .put ? change.settings.warnings(id: change.id) : nil
        let tag = EntityTag.of(change, in: description?.language)
        var response = json(status, tag: tag, location: location) {
            $0.change(change, description: description, warnings: warnings)
        }
        response.headers.append(.varyingLanguage)
        if let description { response.headers.append(HeaderField("Content-Language", description.language)) }
        return response
    }

    static func ageRating(
        _ outcome: AgeRatingOutcome, baseline: AgeRating?, previousCode: Int?, change: CallerID?, status: Int
    ) -> Response {
        json(status) {
            $0.ageRatingResult(outcome, baseline: baseline, previousCode: previousCode, change: change)
        }
    }

    static func app(_ app: App, status: Int, location: String? = nil) -> Response {
        json(status, tag: EntityTag.of(revision: app.revision), location: location) { $0.app(app) }
    }

    /// - Parameter secret: the key's text, in the one answer that shows it.
    static func apiKey(_ key: APIKey, status: Int, secret: String?, app: AppID) -> Response {
        json(status, location: "/v1/apps/" + app.text + "/keys/" + key.id.text) { $0.apiKey(key, secret: secret) }
    }

    static func noContent() -> Response {
        Response(
            status: 204,
            headers: [HeaderField("Cache-Control", "no-store"), HeaderField("X-Content-Type-Options", "nosniff")])
    }

    /// 304: the caller has it already. What would have been sent says its length and what it varies by (RFC 9110 §8.6, §15.4.5).
    static func notModified(_ response: Response) -> Response {
        let kept = response.headers.filter { ["ETag", "Cache-Control", "Vary"].contains($0.name) }
        return Response(status: 304, headers: kept, body: response.body)
    }
}

extension HeaderField {
    /// What the answer says depends on the languages wanted.
    static let varyingLanguage = HeaderField("Vary", "Accept-Language")
}

extension JSONWriter {
    /// A question as it was read.
    mutating func question(_ record: QuestionRecord, existing: Bool = false) {
        guard let shared = record.rendering, !existing else {
            question(record.question, app: record.app, person: record.person, at: record.readAt, existing: existing)
            return
        }
        let rendered = shared.bytes {
            var writer = JSONWriter(capacity: 768)
            writer.question(record.question, app: record.app, person: record.person, at: record.readAt)
            return writer.finish()
        }
        raw(rendered)
    }

    mutating func guardianLink(_ link: GuardianLink) {
        guardianLink(person: link.person, guardian: link.guardian, createdAt: link.createdAt)
    }
}
