import Consent
import HTTPServer
import JSON
import Representation
import Store

extension Application {
    /// Everything about a person in one document.
    ///
    /// It is read in pages, so as not to hold up anybody else. The log comes last: it holds whatever changed the rows
    /// before it. What is beyond the bounds is named by cursors for the lists that have it.
    func exportPerson(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let id = try call.callerID(0, .personNotFound)
        let app = call.app
        let person = try await read { () async throws(StoreFailure) in try await store.person(app, id) }
        let links = try await read { () async throws(StoreFailure) in try await store.guardians(app, person: id) }
        let acknowledgments = try await read { () async throws(StoreFailure) in
            try await store.acknowledgments(app, person: id)
        }
        let rescissions = try await read { () async throws(StoreFailure) in
            try await store.rescissions(app, person: id)
        }
        let accounts = try await read { () async throws(StoreFailure) in
            try await store.storeAccounts(app, person: id)
        }
        let notifications = try await notifications(of: id, call)
        let questions = try await questions(of: id, call)
        let events = try await events(of: id, call)
        // Where they were erased meanwhile (and came anew, as somebody else), nothing of what was read before is told.
        guard let person, let links, let acknowledgments, let rescissions, let accounts,
            let events,
            events.rows.allSatisfy({ $0.personRef == person.ref })
        else { throw Problem(.personNotFound) }
        return .json(200, capacity: 4_096 + 1_024 * (questions.rows.count + events.rows.count)) { writer in
            writer.beginObject()
            writer.key("person")
            writer.person(person)
            writer.list("guardians", links) { $0.guardianLink($1) }
            writer.list("questions", questions.rows) { $0.exported($1) }
            writer.list("acknowledgments", acknowledgments) {
                $0.acknowledgment(person: id, change: $1.change, at: $1.at)
            }
            writer.list("rescissions", rescissions) { $0.rescission($1, person: id) }
            writer.list("storeAccounts", accounts) { $0.storeAccount($1) }
            writer.list("storeNotifications", notifications) {
                $0.storeNotification($1.notification, person: $1.person)
            }
            writer.list("events", events.rows) { $0.event($1) }
            writer.key("nextQuestions")
            writer.string(questions.next)
            writer.key("nextEvents")
            writer.string(events.next)
            writer.endObject()
        }
    }

    private func questions(of person: CallerID, _ call: Call) async throws(Problem) -> Bounded<ExportedQuestion> {
        var all = Bounded<ExportedQuestion>()
        var position: QuestionPosition?
        repeat {
            let after = position
            let page = try await read { () async throws(StoreFailure) in
                try await store.questions(call.app, QuestionFilter(person: person), after: after, limit: 100)
            }
            let ids = page.rows.map(\.question.id)
            let answers = try await read { () async throws(StoreFailure) in
                try await store.answers(call.app, questions: ids)
            }
            all.rows += page.rows.map { ExportedQuestion(record: $0, answers: answers[$0.question.id] ?? []) }
            position = page.next
        } while position != nil && all.rows.count < Bounded<ExportedQuestion>.most
        all.next = position.map(Cursor.write)
        return all
    }

    /// What the stores sent about the person, the oldest 10,000 at most.
    private func notifications(of person: CallerID, _ call: Call) async throws(Problem) -> [StoreNotificationRecord] {
        var all: [StoreNotificationRecord] = []
        while true {
            let last = all.last?.notification.id
            let page = try await read { () async throws(StoreFailure) in
                try await store.storeNotifications(
                    call.app, StoreNotificationFilter(person: person), after: last, limit: 100)
            }
            all += page.rows
            if !page.more || all.count >= Bounded<StoreNotificationRecord>.most { return all }
        }
    }

    /// Nil when there is no such person.
    private func events(of person: CallerID, _ call: Call) async throws(Problem) -> Bounded<EventRecord>? {
        var all = Bounded<EventRecord>()
        var after: Int64 = 0
        while true {
            let position = after
            let page = try await read { () async throws(StoreFailure) in
                try await store.events(call.app, .person(person), after: position, limit: 100)
            }
            guard let page else { return nil }
            all.rows += page.events
            after = page.last
            if page.events.count < 100 { return all }
            if all.rows.count >= Bounded<EventRecord>.most {
                all.next = EventPosition(feed: page.feed, seq: page.last).text
                return all
            }
        }
    }
}

/// Rows of an export, with where the rest starts.
private struct Bounded<Row: Sendable>: Sendable {
    /// About ten megabytes of each kind, far beyond what a household makes.
    static var most: Int { 10_000 }

    var rows: [Row] = []
    /// A cursor of the list that has the rest.
    var next: String?
}

/// A question with all that was answered to it.
private struct ExportedQuestion: Sendable {
    let record: QuestionRecord
    let answers: [GuardianAnswer]
}

extension JSONWriter {
    fileprivate mutating func list<Row>(
        _ name: StaticString, _ rows: [Row], _ write: (inout JSONWriter, Row) -> Void
    ) {
        key(name)
        beginArray()
        for row in rows { write(&self, row) }
        endArray()
    }

    fileprivate mutating func exported(_ exported: ExportedQuestion) {
        beginObject()
        key("question")
        question(exported.record)
        list("answers", exported.answers) { $0.answer($1) }
        endObject()
    }
}
