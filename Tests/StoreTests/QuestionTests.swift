import Consent
import Store
import TestSupport
import Testing

/// The store against a real PostgreSQL: what commands leave behind.
@Suite struct QuestionTests {
    @Test func aQuestionIsAskedAnsweredAndReadBack() async throws {
        try await TestStore.with("ask_answer") { test in try await self.askAndAnswer(test) }
    }

    private func askAndAnswer(_ test: TestStore) async throws {
        let ask = AskRequest(
            person: "p-1", topic: .communication(handles: ["b", "a"]), description: "Talk to \u{1F600}", language: "en",
            quorum: 1)
        guard case .done(.asked(let record, .created)) = try await test.run(.ask(ask)) else {
            Issue.record("not asked")
            return
        }
        #expect(record.person == "p-1")
        let read = try await test.store.question(test.app, record.question.id)
        #expect(read?.question == record.question)
        #expect(read?.person == "p-1")
        #expect(record.question.topic == .communication(handles: ["b", "a"]))

        guard
            case .done(.asked(let again, .existing)) = try await test.run(
                .ask(AskRequest(person: "p-1", topic: .communication(handles: ["a", "b"]), description: "x")))
        else {
            Issue.record("asked twice")
            return
        }
        #expect(again.question.id == record.question.id)

        let answer = AnswerRequest(guardian: "g-1", kind: .approval, reason: "fine by me")
        guard case .done(.question(let approved)) = try await test.run(.answer(question: record.question.id, answer))
        else {
            Issue.record("not answered")
            return
        }
        #expect(approved.question.state == .approved)
        #expect(approved.question.revision == 2)
        #expect(approved.question.resolution?.by == .guardian("g-1"))
        let stored = try #require(try await test.store.question(test.app, record.question.id))
        #expect(stored.question.resolution == approved.question.resolution)
        #expect(try await test.store.answers(test.app, question: record.question.id)?.map(\.kind) == [.approval])

        let events = try #require(try await test.store.events(test.app, .all, after: 0, limit: 100))
        #expect(events.events.map(\.seq) == [1, 2, 3, 4])
        #expect(
            events.events.map(\.type) == [.appUpdated, .personUpdated, .questionCreated, .questionApproved])
        guard case .question(let past, let given) = events.events[3].data,
            case .question(let first, _) = events.events[2].data
        else {
            Issue.record("no question in the event")
            return
        }
        #expect(first.state == .pending && first.revision == 1 && first.resolution == nil)
        #expect(past.state == .approved && past.resolution == approved.question.resolution)
        #expect(given?.reason == "fine by me" && given?.guardian == "g-1")
    }
}
