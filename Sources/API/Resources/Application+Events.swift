import Consent
import HTTPServer
import JSON
import Representation
import Store

extension Application {
    func listEvents(_ call: Call) async throws(Problem) -> Response {
        try await events(call, .all, .appNotFound)
    }

    func listQuestionEvents(_ call: Call) async throws(Problem) -> Response {
        let id = try call.identifier(0, .questionNotFound)
        return try await events(call, .question(id), .questionNotFound)
    }

    func listPersonEvents(_ call: Call) async throws(Problem) -> Response {
        let id = try call.callerID(0, .personNotFound)
        return try await events(call, .person(id), .personNotFound)
    }

    /// A page of the log. `nextCursor` is never null: past the last event it says where the next one will be.
    private func events(
        _ call: Call, _ filter: EventFilter, _ missing: ProblemType
    ) async throws(Problem) -> Response {
        let query = try call.query("after", "limit")
        let limit = try query.limit()
        var after: EventPosition?
        if let cursor = query.text("after") {
            after = EventPosition(cursor)
            guard after != nil else { throw .parameter("after", "The value is not a cursor of this log.") }
        }
        let seq = after?.seq ?? 0
        let page = try await read { () async throws(StoreFailure) in
            try await store.events(call.app, filter, after: seq, limit: limit)
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
        return .json(200, capacity: 1_024 * (page.events.count + 1)) { writer in
            writer.page(page.events, nextCursor: next) { $0.event($1) }
        }
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
            }
        }
    }
}

extension EventData {
    fileprivate var answer: GuardianAnswer? {
        switch self {
        case .question(_, let answer): answer
        case .person, .rescission, .reinstated, .erased, .linked, .unlinked, .acknowledgment, .change, .ageRating,
            .notification, .account, .app, .key:
            nil
        }
    }
}
