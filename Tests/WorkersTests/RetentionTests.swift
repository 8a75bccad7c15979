import Consent
import Store
import Synchronization
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(5))) struct RetentionTests {
    private func retention(
        _ test: TestStore, _ kept: Retention.Kept = Retention.Kept(), batch: Int = 500, holder: UInt64 = 1
    ) -> Retention {
        Retention(test.store, holder: Identifier(high: holder, low: 0), kept: kept, batch: batch)
    }

    /// Keeps so many replies of an app, the oldest so long ago and each a second younger.
    private func keep(_ test: TestStore, _ count: Int, hoursAgo: Int, app: String = "reader") throws {
        try test.execute(
            """
            insert into idempotency (app_id, scope, key, fingerprint, status, resource, created_at)
            select '\(app)', 'service', 'k-\(hoursAgo)-' || n, sha256('x'), 200, 'n',
                now() - interval '\(hoursAgo) hours' + n * interval '1 second'
            from generate_series(1, \(count)) n
            """)
    }

    /// Makes all that there is so many days older; the ids, which hold their moment, stay.
    private func age(_ test: TestStore, days: Int) throws {
        try test.execute(
            """
            update question set created_at = created_at - interval '\(days) days',
                updated_at = updated_at - interval '\(days) days', expiration = expiration - interval '\(days) days',
                resolved_at = resolved_at - interval '\(days) days';
            update event set at = at - interval '\(days) days';
            """)
    }

    @Test func keepsThreeDaysAndForgetsTheRestInBatches() async throws {
        try await TestStore.with("retention") { test in
            let other = AppID(trusted: "other")
            _ = try await test.run(.putApp(AppSettings(name: "Other"), .none), app: other)
            try keep(test, 25, hoursAgo: 73)
            try keep(test, 7, hoursAgo: 100, app: "other")
            try keep(test, 4, hoursAgo: 71)
            _ = try await test.run(Samples.ask("p"), key: Samples.key("fresh"))
            let events = try test.count("select count(*) from event")
            #expect(try await retention(test, batch: 10).runOnce() == [.replies: 32])
            #expect(try test.count("select count(*) from idempotency") == 5)
            #expect(try test.count("select count(*) from idempotency where key like 'k-71-%'") == 4)
            #expect(try await test.run(Samples.ask("p"), key: Samples.key("fresh")).isReplay)
            #expect(try await retention(test, batch: 10).runOnce() == [:])
            #expect(try test.count("select count(*) from event") == events)
        }
    }

    @Test func aForgottenKeyIsNewAgain() async throws {
        try await TestStore.with("retention_again") { test in
            let first = try await test.run(Samples.ask("p"), key: Samples.key("k"))
            #expect(first.asked == .created)
            try test.execute("update idempotency set created_at = now() - interval '73 hours'")
            // Not yet forgotten: still a replay.
            #expect(try await test.run(Samples.ask("p"), key: Samples.key("k")).isReplay)
            #expect(try await retention(test).runOnce() == [.replies: 1])
            #expect(try await test.run(Samples.ask("p"), key: Samples.key("k")).asked == .existing)
        }
    }

    @Test func takesAwayWhatStoresSaidOfSomebodyNobodyKnew() async throws {
        try await TestStore.with("retention_notices") { test in
            for number in 0..<7 {
                _ = try await test.run(
                    .receive(Notices.rescission(CallerID(trusted: "a-\(number)"), uuid: "u-\(number)")))
            }
            let unusable = Notices.quarantined(Notices.information("TEST", uuid: "t"), Quarantine(reason: "x"))
            _ = try await test.run(.receive(unusable))
            _ = try await test.run(.receive(Notices.information("TEST", uuid: "kept")))
            _ = try await test.run(Notices.register("p", "a-0"))
            let days = Retention.Kept(notifications: 180 * 86_400)
            #expect(try await retention(test, days, batch: 3).runOnce() == [:])
            try test.execute("update store_notification set received_at = received_at - interval '181 days'")
            #expect(try await retention(test).runOnce() == [:])
            #expect(try await retention(test, days, batch: 3).runOnce() == [.notifications: 7])
            #expect(try test.texts("select uuid from store_notification order by id") == ["u-0", "kept"])
            #expect(try test.texts("select id from store_account") == ["a-0"])
        }
    }

    @Test func twoAtOnceForgetEachOnce() async throws {
        try await TestStore.with("retention_two") { test in
            let other = TestStore(test.settings)
            try keep(test, 600, hoursAgo: 80)
            async let first = retention(test, batch: 20, holder: 1).runOnce()
            async let second = retention(other, batch: 20, holder: 2).runOnce()
            // The lease is one's, and the other has nothing to do.
            #expect(try await [first, second].compactMap { $0[.replies] } == [600])
            #expect(try test.count("select count(*) from idempotency") == 0)
            await other.store.stop(within: .seconds(5))
        }
    }

    @Test func keepsEverythingElseForEverUnlessTold() async throws {
        try await TestStore.with("retention_default") { test in
            let question = try #require(try await test.run(Samples.ask("p")).question)
            _ = try await test.run(.cancel(question: question.id, by: .child, reason: nil))
            try age(test, days: 5_000)
            let dump = try test.dump().filter { !$0.hasPrefix("sweep_lease") }
            #expect(try await retention(test).runOnce() == [:])
            #expect(try test.dump().filter { !$0.hasPrefix("sweep_lease") } == dump)
        }
    }

    @Test func takesEventsAndThenTheirQuestions() async throws {
        try await TestStore.with("retention_kinds", policy: Policy(askAgainSeconds: 0)) { test in
            let month = 30 * 86_400
            for n in 1...40 {
                let question = try #require(try await test.run(Samples.ask(CallerID(trusted: "p-\(n)"))).question)
                if n % 2 == 0 { _ = try await test.run(.cancel(question: question.id, by: .child, reason: nil)) }
                if n % 4 == 1 { _ = try await test.run(Samples.approval(question.id)) }
                if n % 4 == 3 { _ = try await test.run(.expire(question: question.id)) }
            }
            // Their expirations, seven days on, are as old then as is asked for.
            try age(test, days: 40)
            let events = try test.count("select count(*) from event")
            let young = try #require(try await test.run(Samples.ask("p-new")).question)
            // Only the events are old enough.
            let kept = Retention.Kept(events: month, questions: 60 * 86_400)
            #expect(try await retention(test, kept, batch: 7).runOnce() == [.events: events])
            #expect(try test.count("select count(*) from question") == 41)
            // Cancelled ones go; those that stand stay, and so do those that still wait for the sweep.
            let less = Retention.Kept(events: month, questions: month)
            let pruned = try await retention(test, less, batch: 7).runOnce()
            #expect(pruned == [.questions: 20], "\(pruned)")
            #expect(try test.count("select count(*) from question where state = 'approved'") == 10)
            #expect(try test.count("select count(*) from question where state = 'pending'") == 11)
            #expect(try await test.store.question(test.app, young.id) != nil)
            #expect(try await retention(test, less, batch: 7).runOnce() == [:])
        }
    }

    @Test func tellsOfEachKindAndApp() async throws {
        try await TestStore.with("retention_tells") { test in
            try keep(test, 3, hoursAgo: 80)
            _ = try await test.run(.putPerson("p", Samples.minor, .none))
            _ = try await test.run(.putPerson("p", Samples.adult, .none))
            try age(test, days: 2)
            let told = Mutex<[String]>([])
            let (signal, done) = AsyncStream.makeStream(of: Void.self)
            let worker = Retention(
                test.store, holder: Identifier(high: 1, low: 0), kept: Retention.Kept(events: 86_400)
            ) { result in
                guard case .success(let pruned) = result else { return }
                told.withLock { $0.append("\(pruned.kind) \(pruned.rows)") }
                if pruned.kind == .counters { done.yield() }
            }
            let loop = Task { await worker.run() }
            for await _ in signal { break }
            loop.cancel()
            await loop.value
            #expect(told.withLock { $0 } == ["replies 3", "events 3", "counters 1"])
        }
    }

    @Test func whatFailsOfOneKindKeepsNothingElseFromGoing() async throws {
        try await TestStore.with("retention_damaged") { test in
            let other = AppID(trusted: "a")
            _ = try await test.run(.putApp(AppSettings(name: "A"), .none), app: other)
            _ = try await test.run(Samples.ask("p"), app: other)
            // A row that no version wrote, and that none can read: it is over, and nothing says how.
            try test.execute("update question set state = 'expired'; delete from event where app_id = 'a'")
            try age(test, days: 40)
            try keep(test, 3, hoursAgo: 73)
            let kept = Retention.Kept(events: 30 * 86_400, questions: 30 * 86_400)
            await #expect(throws: StoreFailure.self) { try await retention(test, kept).runOnce() }
            #expect(try test.count("select count(*) from question") == 1)
            #expect(try test.count("select count(*) from idempotency") == 0)
        }
    }
}
