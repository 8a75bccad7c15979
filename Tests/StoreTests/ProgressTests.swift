import Consent
import Store
import Testing

@testable import TestSupport

/// Counters of a change, against what they count.
@Suite(.timeLimit(.minutes(5))) struct ProgressTests {
    private func ask(_ person: CallerID, _ change: CallerID = "video", expiration: Instant? = nil) -> Command {
        .ask(AskRequest(person: person, topic: .significantAppUpdate(change: change), expiration: expiration))
    }

    private func counts(_ test: TestStore, _ change: CallerID = "video") async throws -> [QuestionState: Int] {
        try #require(try await test.store.progress(test.app, change: change)).questions.filter { $0.value != 0 }
    }

    @Test func followsThePersonsNewestQuestion() async throws {
        try await TestStore.with("progress_newest", policy: Policy(askAgainSeconds: 0)) { test in
            #expect(try await test.store.progress(test.app, change: "video") == nil)
            for change: CallerID in ["video", "chat"] {
                _ = try await test.run(.putChange(change, Samples.change, .none))
            }
            let none = try #require(try await test.store.progress(test.app, change: "video"))
            #expect(none.persons == 0 && none.acknowledged == 0 && none.questions.count == QuestionState.allCases.count)
            var question = try #require(try await test.run(ask("p")).question)
            _ = try await test.run(ask("p", "chat"))
            // Another topic about the same id counts for nothing.
            _ = try await test.run(Samples.ask("p", "video"))
            #expect(try await counts(test) == [.pending: 1])
            _ = try await test.run(Samples.denial(question.id))
            #expect(try await counts(test) == [.denied: 1])
            question = try #require(try await test.run(ask("p")).question)
            #expect(try await counts(test) == [.pending: 1])
            _ = try await test.run(Samples.approval(question.id))
            _ = try await test.run(Samples.approval(question.id, "g-2"))
            #expect(try await counts(test) == [.approved: 1])
            _ = try await test.run(Samples.denial(question.id))
            #expect(try await counts(test) == [.revoked: 1])
            question = try #require(try await test.run(ask("p")).question)
            _ = try await test.run(.cancel(question: question.id, by: .child, reason: nil))
            #expect(try await counts(test) == [.cancelled: 1])
            question = try #require(try await test.run(ask("p")).question)
            #expect(try await counts(test) == [.pending: 1])
            try test.makeOverdue([question.id])
            #expect(try await counts(test) == [.pending: 1])
            _ = try await test.run(.expire(question: question.id))
            #expect(try await counts(test) == [.expired: 1])
            question = try #require(try await test.run(ask("p")).question)
            try test.makeOverdue([question.id])
            // Expired by asking anew, in one batch.
            _ = try await test.run(ask("p"))
            #expect(try await counts(test) == [.pending: 1])
            #expect(try await counts(test, "chat") == [.pending: 1])
            _ = try await test.run(.putPerson("a", Samples.adult, .none))
            _ = try await test.run(.acknowledge(person: "a", change: "video"))
            _ = try await test.run(.acknowledge(person: "a", change: "video"))
            let progress = try #require(try await test.store.progress(test.app, change: "video"))
            #expect(progress.persons == 2 && progress.acknowledged == 1)
            try test.expectRecounted()
        }
    }

    /// Many at once on two stores, with the same few persons and changes: no counter is lost to a race or a deadlock.
    @Test func holdsUnderRaces() async throws {
        try await TestStore.with("progress_races", policy: Policy(askAgainSeconds: 0)) { test in
            let other = TestStore(test.settings)
            let changes: [CallerID] = ["c-1", "c-2", "c-3"]
            for change in changes { _ = try await test.run(.putChange(change, Samples.change, .none)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<16 {
                    group.addTask {
                        var random = SplitMix(UInt64(worker))
                        let store = worker % 2 == 0 ? test : other
                        for round in 0..<25 {
                            let person = CallerID(trusted: "p-\(random.next() % 12)")
                            let reply = try await store.run(ask(person, random.pick(changes)))
                            guard let question = reply.question else {
                                _ = try await store.run(
                                    .putPerson(person, random.pick([Samples.minor, PersonFacts()]), .none))
                                continue
                            }
                            let next: [Command] = [
                                Samples.approval(question.id), Samples.denial(question.id),
                                .cancel(question: question.id, by: .child, reason: nil),
                                .putPerson(person, random.pick([Samples.minor, Samples.adult, PersonFacts()]), .none),
                                .putPerson("new-\(worker)-\(round)".asID, Samples.minor, .none),
                            ]
                            _ = try await store.run(random.pick(next))
                        }
                    }
                }
                try await group.waitForAll()
            }
            try test.expectRecounted()
            let persons = try test.count("select count(*) from person")
            #expect(try await test.store.progress(test.app, change: "c-1")?.persons == persons)
            await other.store.stop(within: .seconds(5))
        }
    }

    @Test func aMigrationCountsWhatIsThere() async throws {
        try await TestStore.with("progress_backfill", policy: Policy(askAgainSeconds: 0)) { test in
            for change: CallerID in ["video", "chat"] {
                _ = try await test.run(.putChange(change, Samples.change, .none))
            }
            for number in 0..<12 {
                let person = CallerID(trusted: "p-\(number)")
                let facts = PersonFacts(
                    ageRange: number % 3 == 0 ? .notTold : .range(lower: 13, upper: 15, declaration: "n\u{e9}"),
                    duties: number % 2 == 0 ? .features(["a", "b"]) : .features([]),
                    original: number % 4 == 0
                        ? OriginalVersion(value: "1.0", kind: .build, environment: .sandbox) : nil,
                    region: number % 5 == 0 ? "US-TX" : nil)
                _ = try await test.run(.putPerson(person, facts, .none))
                let question = try #require(try await test.run(ask(person)).question)
                if number % 2 == 0 { _ = try await test.run(Samples.denial(question.id)) }
                if number % 4 == 0 { _ = try await test.run(ask(person)) }
            }
            _ = try await test.run(.putPerson("a", Samples.adult, .none))
            _ = try await test.run(.acknowledge(person: "a", change: "chat"))
            let before = try test.dump()
            let migration = try TestDatabase.migration("change_progress")
            try test.execute(
                "drop table change_progress, person_group; drop function person_group_digest; \(migration)")
            // The very rows: names of groups too, so that later batches find them.
            #expect(try test.dump().filter { !$0.hasSuffix(",0)") } == before.filter { !$0.hasSuffix(",0)") })
            try test.expectRecounted()
        }
    }
}

extension String {
    fileprivate var asID: CallerID { CallerID(trusted: self) }
}
