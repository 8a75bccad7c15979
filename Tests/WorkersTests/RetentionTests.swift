import Consent
import Store
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(5))) struct RetentionTests {
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

    @Test func keepsThreeDaysAndForgetsTheRestInBatches() async throws {
        try await TestStore.with("retention") { test in
            let other = AppID(trusted: "other")
            _ = try await test.run(.putApp(AppSettings(name: "Other"), .none), app: other)
            try keep(test, 25, hoursAgo: 73)
            try keep(test, 7, hoursAgo: 100, app: "other")
            try keep(test, 4, hoursAgo: 71)
            _ = try await test.run(Samples.ask("p"), key: Samples.key("fresh"))
            let events = try test.count("select count(*) from event")
            #expect(try await Retention(test.store, batch: 10).runOnce() == 4)
            #expect(try test.count("select count(*) from idempotency") == 5)
            #expect(try test.count("select count(*) from idempotency where key like 'k-71-%'") == 4)
            #expect(try await test.run(Samples.ask("p"), key: Samples.key("fresh")).isReplay)
            #expect(try await Retention(test.store, batch: 10).runOnce() == 0)
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
            #expect(try await Retention(test.store).runOnce() == 1)
            #expect(try await test.run(Samples.ask("p"), key: Samples.key("k")).asked == .existing)
        }
    }

    @Test func twoAtOnceForgetEachOnce() async throws {
        try await TestStore.with("retention_two") { test in
            let other = TestStore(test.settings)
            try keep(test, 600, hoursAgo: 80)
            async let first = Retention(test.store, batch: 20).runOnce()
            async let second = Retention(other.store, batch: 20).runOnce()
            #expect(try await first + second >= 30)
            #expect(try test.count("select count(*) from idempotency") == 0)
            await other.store.stop(within: .seconds(5))
        }
    }
}
