import Consent
import HTTPServer
import JSON
import Representation
import Store

extension Application {
    func ask(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        var request = try AskRequest.read(call)
        request.preferredLanguages = AcceptLanguage.languages(call.request.headers)
        try requireSubject(request.person, call, at: "person")
        try refuseQuorum(request.quorum, call)
        request.personRef = call.personRef
        return try await submit(.ask(request), call)
    }

    func getQuestion(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let id = try call.identifier(0, .questionNotFound)
        return try await look(call) { () throws(Problem) in
            .question(id)
        } _: { () async throws(Problem) in
            let record = try await read { () async throws(StoreFailure) in try await store.question(call.app, id) }
            guard let record else { throw Problem(.questionNotFound) }
            let tag = EntityTag.of(record.question)
            guard try Conditions.isCurrent(tag, call.request.headers) else {
                return Look(response: .question(record, status: 200), isCurrent: false)
            }
            let expires = record.question.state == .pending ? record.question.expiration : nil
            return Look(
                response: .notModified(.question(record, status: 200)), isCurrent: true,
                changesIn: expires.map { .until($0, from: record.readAt) })
        }
    }

    func listQuestions(_ call: Call) async throws(Problem) -> Response {
        let query = try call.query(
            "state", "person", "guardian", "topic", "change", "expiringBefore", "createdAfter", "cursor", "limit")
        let filter = try QuestionFilter(query, call.caller.grant?.subject)
        let limit = try query.limit()
        var after: QuestionPosition?
        if let cursor = query.text("cursor") {
            after = Cursor.question(cursor, pending: filter.state == .pending)
            guard after != nil else { throw .foreignCursor() }
        }
        let page = try await read { () async throws(StoreFailure) in
            try await store.questions(call.app, filter, after: after, limit: limit)
        }
        let next = page.next.map(Cursor.write)
        return .json(200, capacity: 768 * (page.rows.count + 1)) { writer in
            writer.page(page.rows, nextCursor: next) { $0.question($1) }
        }
    }

    func countQuestions(_ call: Call) async throws(Problem) -> Response {
        let query = try call.query(
            "state", "person", "guardian", "topic", "change", "expiringBefore", "createdAfter")
        let filter = try QuestionFilter(query, call.caller.grant?.subject)
        let counts = try await read { () async throws(StoreFailure) in
            try await store.questionCounts(call.app, filter)
        }
        return .json(200) { $0.counts(counts) }
    }

    func cancel(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let id = try call.identifier(0, .questionNotFound)
        let cancellation = try PostedCancellation.read(call)
        // A service speaks for the child; an admin for nobody but themselves.
        let canceller: Canceller = call.caller.role == .admin ? .admin : .child
        return try await submit(.cancel(question: id, by: canceller, reason: cancellation.reason), call)
    }
}

extension QuestionFilter {
    /// What the query asks for, of what a token's subject may know.
    fileprivate init(_ query: Parameters, _ subject: TokenSubject?) throws(Problem) {
        self.init(
            state: try query.oneOf("state", QuestionState.self), person: try query.callerID("person"),
            guardian: try query.callerID("guardian"), topic: try query.oneOf("topic", Topic.Kind.self),
            change: try query.callerID("change"), expiringBefore: try query.moment("expiringBefore"),
            createdAfter: try query.moment("createdAfter"))
        switch subject {
        case nil: return
        case .person(let id, ref: _):
            if let person, person != id { throw Problem(.personNotFound) }
            // Who somebody's guardians are is not theirs to learn by guessing.
            if guardian != nil { throw Problem(.notTokenSubject, "A person's token takes no guardian.") }
            person = id
        case .guardian(let id):
            if let guardian, guardian != id { throw Problem(.notTokenSubject, "The token is another guardian's.") }
            guardian = id
        }
    }
}

extension AskRequest {
    fileprivate static func read(_ call: Call) throws(Problem) -> AskRequest {
        do { return try AskRequest(body: call.request.body) } catch { throw Problem(error) }
    }
}

extension PostedCancellation {
    fileprivate static func read(_ call: Call) throws(Problem) -> PostedCancellation {
        do { return try PostedCancellation(body: call.bodyOrEmptyObject) } catch { throw Problem(error) }
    }
}
