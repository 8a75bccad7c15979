import Consent
import HTTPServer
import JSON
import Representation
import Store

extension Application {
    /// The whole app's log, or what of it a filter takes: a page, or a stream for whoever accepts one.
    func listEvents(_ call: Call) async throws(Problem) -> Response {
        let query = try call.query("after", "limit", "person", "question", "type")
        let (filter, missing) = try await filter(query, call)
        var response: Response
        if MediaType.wantsEventStream(call.request.headers) {
            if query.text("limit") != nil { throw .parameter("limit", "A stream has no pages.") }
            let reader: FeedReader
            do { reader = try call.caller.reader() } catch { throw Problem(.internalError) }
            response = try stream(call.request, call.app, reader, filter, query)
        } else {
            response = try await look(call) { () throws(Problem) in
                .log(filter)
            } _: { () async throws(Problem) in
                try await page(call, filter, query, missing)
            }
        }
        response.headers.append(HeaderField("Vary", "Accept"))
        return response
    }

    /// Which events a request is about, as its query says, and what is missing where there is no such question or person.
    private func filter(_ query: Parameters, _ call: Call) async throws(Problem) -> (FeedFilter, ProblemType) {
        let types = try query.text("type").map { text throws(Problem) in try EventTypes.read(text) }
        let person = try query.callerID("person")
        var question: Identifier?
        if let text = query.text("question") {
            if person != nil { throw .parameter("question", "Give a person or a question, not both.") }
            question = Identifier(text)
            guard question != nil else { throw .parameter("question", "The value is not a question's id.") }
        }
        return try await filter(call, person, question, types)
    }

    /// The same where it was said otherwise; a token narrows it to what its subject may know.
    func filter(
        _ call: Call, _ given: CallerID?, _ question: Identifier?, _ types: Set<EventType>?
    ) async throws(Problem) -> (FeedFilter, ProblemType) {
        let app = call.app
        var filter = FeedFilter()
        filter.types = types
        var person = given
        switch call.caller.grant?.subject {
        case nil: break
        case .person(let id, ref: _):
            if let given, given != id { throw Problem(.personNotFound) }
            person = id
        case .guardian(let id):
            if let given, try await !self.person(given, isWithin: .guardian(id), app) { throw Problem(.personNotFound) }
            filter.guardian = GuardianView(id)
            filter.stored = .guardian(id, personRef: nil, question: nil)
        }
        if let person {
            let found = try await read { () async throws(StoreFailure) in try await store.person(app, person) }
            guard let found, call.personRef.map({ $0 == found.ref }) ?? true else { throw Problem(.personNotFound) }
            filter.personRef = found.ref
            filter.stored = filter.stored(.person(person), found.ref, nil)
        }
        guard let id = question else { return (filter, person == nil ? .appNotFound : .personNotFound) }
        guard try await read({ () async throws(StoreFailure) in try await store.question(app, id) }) != nil else {
            throw Problem(.questionNotFound)
        }
        if let subject = call.caller.grant?.subject, try await !self.question(id, isWithin: subject, app) {
            throw Problem(.questionNotFound)
        }
        filter.question = id
        filter.stored = filter.stored(.question(id), nil, id)
        return (filter, .questionNotFound)
    }

    private func page(
        _ call: Call, _ filter: FeedFilter, _ query: Parameters, _ missing: ProblemType
    ) async throws(Problem) -> Look {
        let types = filter.types.map { Array($0) }
        let (response, count) = try await page(call, filter.stored, types, query, missing)
        return Look(response: response, isCurrent: count == 0)
    }

    func stream(
        _ request: Request, _ app: AppID, _ reader: FeedReader, _ filter: FeedFilter, _ query: Parameters
    ) throws(Problem) -> Response {
        let headers = [
            HeaderField("Content-Type", "text/event-stream"), HeaderField("Cache-Control", "no-store"),
            HeaderField("X-Accel-Buffering", "no"), HeaderField("X-Content-Type-Options", "nosniff"),
        ]
        // What a browser says after its connection broke is newer than the address it began with.
        let last = request.headers["Last-Event-ID"] ?? query.text("after")
        let start = last.flatMap { $0.isEmpty ? nil : $0 }
        // Like the GET's its answer has no length: an empty one would say that the stream is.
        if request.method == .head { return Response(status: 200, headers: headers, stream: BodyStream(limit: 0)) }
        // A text that was never a cursor is of no feed: its reader is told to begin anew.
        let position = start.map { EventPosition($0) ?? EventPosition(feed: "", seq: 0) }
        guard let body = feed.open(app, reader, filter, after: position) else {
            let who = reader.isToken ? "The tokens of one person or guardian have" : "A key has"
            throw Problem(
                .tooManyStreams, "\(who) at most \(feed.most(reader)) open at once on one server.",
                retryAfter: 5)
        }
        return Response(status: 200, headers: headers, stream: body)
    }

    func listQuestionEvents(_ call: Call) async throws(Problem) -> Response {
        let id = try call.identifier(0, .questionNotFound)
        if case .guardian(let guardian)? = call.caller.grant?.subject {
            return try await events(call, .guardian(guardian, personRef: nil, question: id), .questionNotFound)
        }
        return try await events(call, .question(id), .questionNotFound)
    }

    func listPersonEvents(_ call: Call) async throws(Problem) -> Response {
        let id = try call.callerID(0, .personNotFound)
        guard case .guardian(let guardian)? = call.caller.grant?.subject else {
            return try await events(call, call.personRef.map { .personRef($0) } ?? .person(id), .personNotFound)
        }
        let person = try await read { () async throws(StoreFailure) in try await store.person(call.app, id) }
        guard let person else { throw Problem(.personNotFound) }
        return try await events(
            call, .guardian(guardian, personRef: person.ref, question: nil), .personNotFound)
    }

    private func events(
        _ call: Call, _ filter: EventFilter, _ missing: ProblemType
    ) async throws(Problem) -> Response {
        try await page(call, filter, nil, try call.query("after", "limit"), missing).0
    }

    /// A page of the log, with how many events it has. `nextCursor` is never null: past the last event it says where the next
    /// one will be.
    private func page(
        _ call: Call, _ filter: EventFilter, _ types: [EventType]?, _ query: Parameters, _ missing: ProblemType
    ) async throws(Problem) -> (Response, count: Int) {
        let limit = try query.limit()
        var after: EventPosition?
        if let cursor = query.text("after") {
            after = EventPosition(cursor)
            guard after != nil else { throw .parameter("after", "The value is not a cursor of this log.") }
        }
        let seq = after?.seq ?? 0
        let page = try await read { () async throws(StoreFailure) in
            try await store.events(call.app, filter, types: types, after: seq, limit: limit)
        }
        guard let page else { throw Problem(missing) }
        if let after, !after.feed.utf8.elementsEqual(page.feed.utf8) {
            throw .parameter(
                "after",
                "The log was renewed since this cursor was given, or it is another app's; start anew without it.")
        }
        if let after, after.seq < page.pruned {
            throw .parameter(
                "after", "What came after this cursor is not kept any more; start anew without it.")
        }
        let next = EventPosition(feed: page.feed, seq: page.last).text
        let response = Response.json(200, capacity: 1_024 * (page.events.count + 1)) { writer in
            writer.page(page.events, nextCursor: next) { $0.event($1) }
        }
        return (response, page.events.count)
    }
}

extension FeedFilter {
    /// How the same is read from the database where it is about one person or one question: by what a key would read it by, or by
    /// what a guardian may know of it.
    func stored(_ usual: EventFilter, _ personRef: Identifier?, _ question: Identifier?) -> EventFilter {
        guard let guardian = guardian?.guardian else { return personRef.map { .personRef($0) } ?? usual }
        return .guardian(guardian, personRef: personRef ?? self.personRef, question: question)
    }
}

extension JSONWriter {
    /// One entry of the log, its resource as it was right after it.
    mutating func event(_ event: EventRecord) {
        self.event(
            feed: event.feed, seq: event.seq, type: event.type, at: event.at, app: event.app, person: event.person,
            personRef: event.personRef, revision: event.revision, answer: event.data.answer,
            evidence: event.evidence
        ) { writer in
            switch event.data {
            case .question(let question, answer: _):
                writer.question(question, app: event.app, person: event.person, at: event.at)
            case .person(let facts, let rescindedAt, let revision, let createdAt, let updatedAt):
                writer.person(
                    id: event.person, ref: event.personRef, facts: facts, rescindedAt: rescindedAt, revision: revision,
                    createdAt: createdAt, updatedAt: updatedAt)
            case .rescission(let rescission):
                writer.rescission(rescission, person: event.person)
            case .reinstated(let ended):
                writer.reinstatement(person: event.person, ended: ended, at: event.at)
            case .erased: writer.erasure(personRef: event.personRef)
            case .linked(let guardian):
                writer.guardianLink(person: event.person, guardian: guardian, createdAt: event.at)
            case .unlinked(let guardian, let voided):
                writer.guardianUnlink(person: event.person, guardian: guardian, voided: voided)
            case .acknowledgment(let acknowledgment):
                writer.acknowledgment(
                    person: event.person, change: acknowledgment.change, at: acknowledgment.at)
            case .change(let change): writer.change(change)
            case .ageRating(let step): writer.ageRatingStep(step)
            case .notification(let notification):
                writer.storeNotification(notification, person: event.person)
            case .account(let store, let environment, let isSigned):
                writer.storeAccountEvent(store, environment, isSigned: isSigned, person: event.person)
            case .app(let app): writer.app(app)
            case .key(let key): writer.apiKey(key)
            case .webhookDisabled(let disabling): writer.webhookDisabling(disabling)
            }
        }
    }
}

extension EventData {
    fileprivate var answer: GuardianAnswer? {
        switch self {
        case .question(_, let answer): answer
        case .person, .rescission, .reinstated, .erased, .linked, .unlinked, .acknowledgment, .change, .ageRating,
            .notification, .account, .app, .key,
            .webhookDisabled:
            nil
        }
    }
}
