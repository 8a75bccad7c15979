import Consent
import Store
import TestSupport
import Testing

@testable import Workers

@Suite(.timeLimit(.minutes(5))) struct ReminderTests {
    private static let day: Int64 = 86_400

    private func reminder(
        _ test: TestStore, holder: UInt64 = 1, round: Int = 512,
        observe: @escaping @Sendable (Result<Int, StoreFailure>) -> Void = { _ in }
    ) -> Reminder {
        Reminder(test.store, holder: Identifier(high: holder, low: holder), round: round, observe: observe)
    }

    /// Asks for something that lives a week, and lets all but an hour of it pass.
    private func nearItsEnd(_ test: TestStore, _ person: CallerID, _ subject: CallerID) async throws -> Question {
        let question = try #require(try await test.run(Samples.ask(person, subject)).question)
        try test.execute(
            """
            update question set expiration = clock_timestamp() + interval '1 hour',
                created_at = created_at - interval '7 days' where id = '\(question.id.text)'
            """)
        return question
    }

    private func told(_ test: TestStore) async throws -> [EventRecord] {
        try await test.log().filter { $0.type == .questionExpiring }
    }

    @Test func tellsOfExactlyWhatIsDueAndOnce() async throws {
        try await TestStore.with("remind_exact") { test in
            let due = try await nearItsEnd(test, "p", "due")
            let answered = try await nearItsEnd(test, "p", "answered")
            _ = try await test.run(Samples.approval(answered.id))
            let cancelled = try await nearItsEnd(test, "p", "cancelled")
            _ = try await test.run(.cancel(question: cancelled.id, by: .child, reason: nil))
            let overdue = try await nearItsEnd(test, "p", "overdue")
            try test.makeOverdue([overdue.id])
            // Not yet, and never: its whole life is shorter than the policy's time.
            _ = try await test.run(Samples.ask("p", "later"))
            _ = try await test.run(
                Samples.ask("p", "short", expiration: .present.adding(milliseconds: 3_600_000)))

            #expect(try await reminder(test).runOnce() == 1)
            let events = try await told(test)
            #expect(events.map(\.revision) == [1] && events.map(\.person) == ["p"])
            guard case .question(let shown, answer: nil)? = events.first?.data else {
                Issue.record("no question in the event")
                return
            }
            #expect(shown.id == due.id && shown.state == .pending && shown.revision == 1)
            #expect(shown.remindedAt == events.first?.at)
            // Nothing of what callers see of the question has changed.
            let read = try #require(try await test.store.question(test.app, due.id)).question
            #expect(read.revision == 1 && read.state == .pending)
            let dump = try test.dump().filter { !$0.hasPrefix("sweep_lease") }
            #expect(try await reminder(test).runOnce() == 0)
            #expect(try test.dump().filter { !$0.hasPrefix("sweep_lease") } == dump)
            // It is still answered and its events read as they were.
            _ = try await test.run(Samples.approval(due.id))
            #expect(try await told(test).first?.data == events.first?.data)
        }
    }

    @Test func twoInstancesTellOnce() async throws {
        try await TestStore.with("remind_two") { test in
            let other = TestStore(test.settings)
            for number in 0..<40 { _ = try await nearItsEnd(test, "p", CallerID(trusted: "s-\(number)")) }
            let questions = try test.texts("select id from question").compactMap { Identifier($0) }
            // The lease keeps them apart as a rule; the rows do where it does not.
            let replies = try await withThrowingTaskGroup(of: Bool.self) { group in
                for id in questions {
                    for store in [test, other] {
                        group.addTask {
                            if case .done(.reminded(true)) = try await store.run(.remind(question: id)) { return true }
                            return false
                        }
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(replies == 40)
            for number in 40..<80 { _ = try await nearItsEnd(test, "p", CallerID(trusted: "s-\(number)")) }
            async let first = reminder(test, holder: 1, round: 7).runOnce()
            async let second = reminder(other, holder: 2, round: 7).runOnce()
            let counts = try await [first, second]
            var rest = 0
            while rest + counts.reduce(0, +) < 40 { rest += try await reminder(test, holder: 1).runOnce() }
            #expect(rest + counts.reduce(0, +) == 40)
            #expect(try await told(test).count == 80)
            #expect(
                try test.count("select count(distinct question_id) from event where type = 'question.expiring'") == 80)
            await other.store.stop(within: .seconds(5))
        }
    }

    @Test func aReminderAndAnAnswerHaveOneOrder() async throws {
        try await TestStore.with("remind_answer") { test in
            let other = TestStore(test.settings)
            for number in 0..<20 {
                let question = try await nearItsEnd(test, "p", CallerID(trusted: "s-\(number)"))
                async let reminded = test.run(.remind(question: question.id))
                async let answered = other.run(Samples.denial(question.id))
                _ = try await (reminded, answered)
            }
            #expect(try test.count("select count(*) from question where state = 'denied'") == 20)
            for event in try await told(test) {
                guard case .question(let shown, answer: nil) = event.data else {
                    Issue.record("no question in the event")
                    return
                }
                #expect(shown.state == .pending && shown.revision == 1)
            }
            await other.store.stop(within: .seconds(5))
        }
    }

    @Test func thePolicySaysWhenAndWhether() async throws {
        try await TestStore.with("remind_policy", policy: Policy(reminderSeconds: 0)) { test in
            _ = try await nearItsEnd(test, "p", "s")
            #expect(try await reminder(test).runOnce() == 0)
            for (seconds, count) in [(60, 0), (7_200, 1)] {
                let settings = AppSettings(name: "Reader", policy: Policy(reminderSeconds: seconds))
                _ = try await test.run(.putApp(settings, .none))
                #expect(try await reminder(test).runOnce() == count)
            }
        }
    }

    @Test func appsBeyondTheFirstPageAreWalkedToo() async throws {
        try await TestStore.with("remind_apps") { test in
            for number in 100..<205 {
                let app = AppID(trusted: "a-\(number)")
                _ = try await test.run(.putApp(AppSettings(name: "A"), .none), app: app)
            }
            // "reader" comes after them all.
            for subject in ["a", "b", "c"] { _ = try await nearItsEnd(test, "p", CallerID(trusted: subject)) }
            #expect(try await reminder(test, round: 2).runOnce() == 3)
        }
    }

    /// What comes due while it runs is found although the walk before ended short of it.
    @Test func goesOnWhereItStopped() async throws {
        try await TestStore.with("remind_runs") { test in
            let (reports, report) = AsyncStream.makeStream(of: Int.self)
            let reminder = reminder(test) { if case .success(let count) = $0 { report.yield(count) } }
            _ = try await nearItsEnd(test, "p", "first")
            let running = Task { await reminder.run() }
            var iterator = reports.makeAsyncIterator()
            #expect(await iterator.next() == 1)
            // One that has a moment more than the policy's day to live, as all do before their reminder.
            let next = try #require(try await test.run(Samples.ask("p", "next")).question)
            try test.execute(
                """
                update question set expiration = clock_timestamp() + interval '1 day 500 milliseconds',
                    created_at = created_at - interval '7 days' where id = '\(next.id.text)'
                """)
            var count = 0
            while count == 0, let more = await iterator.next() { count += more }
            #expect(count == 1)
            running.cancel()
            await running.value
        }
    }

    @Test func whatFailsInOneAppKeepsNoOtherWaiting() async throws {
        try await TestStore.with("remind_damaged") { test in
            let other = AppID(trusted: "a")
            _ = try await test.run(.putApp(AppSettings(name: "A"), .none), app: other)
            let damaged = try #require(try await test.run(Samples.ask("p", "due"), app: other).question)
            _ = try await nearItsEnd(test, "p", "due")
            // A row that no version wrote, and that none can read.
            try test.execute(
                """
                update question set resolved_by = 'child', expiration = clock_timestamp() + interval '1 hour',
                    created_at = created_at - interval '7 days' where id = '\(damaged.id.text)'
                """)
            await #expect(throws: StoreFailure.self) { try await reminder(test).runOnce() }
            #expect(try await told(test).count == 1)
        }
    }
}
