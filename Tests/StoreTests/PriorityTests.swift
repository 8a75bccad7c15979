import Consent
import Postgres
import TestSupport
import Testing

@testable import Store

/// Who goes first where several wait for one writer.
@Suite(.timeLimit(.minutes(5))) struct PriorityTests {
    @Test func whoeverWaitsGoesBeforeTheSweep() async throws {
        try await OneBatch.with("priority_sweep") { test, batch in
            var questions: [Identifier] = []
            for number in 0..<300 {
                let person = CallerID(trusted: "p-\(number)")
                questions.append(try #require(try await test.run(Samples.ask(person)).question?.id))
            }
            try test.makeOverdue(questions)
            let before = try await test.log().count
            // All of the sweep's commands stand there before the one that somebody waits for comes.
            let commands = questions.map { Command.expire(question: $0) } + [Samples.ask("q")]
            let replies = try await batch.run(commands.map { ($0, nil) }).map { try $0.get() }
            #expect(replies.last?.asked == .created)
            let log = try await test.log().dropFirst(before)
            #expect(log.count == 302)
            #expect(log.first?.person == "q")
            #expect(log.dropFirst(2).allSatisfy { $0.type == .questionExpired })
        }
    }

    @Test func eventLoopsReadOnlyWhatIsQuick() throws {
        let app = try #require(AppID("quick"))
        let id = Identifier(high: 1, low: 1)
        let person: CallerID = "p-1"
        func list(_ filter: QuestionFilter) -> Query { .questions(app, filter, after: nil, limit: 50) }
        let quick: [Query] = [
            .question(app, id), .answers(app, id), .person(app, person), .guardians(app, person), .credential(id),
            .app(app),
            .change(app, person), .access(app, Array(repeating: person, count: 4)), list(QuestionFilter()),
            list(QuestionFilter(state: .pending)), list(QuestionFilter(state: .expired, person: person)),
        ]
        for query in quick { #expect(query.isQuick, "\(query)") }
        let moment = Instant(microseconds: 1)
        let slow: [Query] = [
            .counts(app, QuestionFilter()), .access(app, Array(repeating: person, count: 5)),
            .events(app, .all, types: nil, after: 0, limit: 100), .overdue(app, after: nil, limit: 64), .expirations,
            list(QuestionFilter(state: .expired)), list(QuestionFilter(guardian: person)),
            list(QuestionFilter(state: .pending, topic: .purchase)), list(QuestionFilter(change: person)),
            list(QuestionFilter(state: .pending, expiringBefore: moment)), list(QuestionFilter(createdAfter: moment)),
        ]
        for query in slow { #expect(!query.isQuick, "\(query)") }
    }

    /// The looks of workers across all apps may take long, and whoever comes with a key must not wait for their end.
    @Test func noRequestWaitsBehindALookAcrossAllApps() async throws {
        try await TestStore.with("priority_looks") { test in
            var patient = test.settings
            patient.lockTimeout = .seconds(20)
            let other = TestStore(patient)
            let holder = try Connection(patient)
            try holder.execute("begin; lock table question in access exclusive mode")
            let look = Task { try await other.store.nextExpirations().next.count }
            let waiting = """
                select count(*) from pg_locks where not granted and relation = 'question'::regclass
                    and database = (select oid from pg_database where datname = current_database())
                """
            while try test.count(waiting) == 0 { await Task.yield() }
            #expect(try await other.store.credential(Identifier(high: 1, low: 1)) == nil)
            #expect(try test.count(waiting) == 1)
            try holder.execute("commit")
            holder.close()
            #expect(try await look.value == 0)
            await other.store.stop(within: .seconds(5))
        }
    }
}
