import Consent
import Store
import Synchronization
import TestSupport
import Testing

@testable import Workers

@Suite(.timeLimit(.minutes(5))) struct SweeperTests {
    private func sweeper(
        _ test: TestStore, holder: UInt64 = 1, alarm: Alarm = Alarm(), round: Int = 1_024,
        observe: @escaping @Sendable (Result<Sweeper.Report, StoreFailure>) -> Void = { _ in }
    ) -> Sweeper {
        Sweeper(
            test.store, alarm: alarm, holder: Identifier(high: holder, low: holder), round: round, observe: observe)
    }

    /// So many pending questions of an app, overdue for an hour and more, each of a person of its own; by SQL.
    private func overdue(_ test: TestStore, _ count: Int, app: String = "reader") throws {
        try test.execute(
            """
            insert into person (app_id, id, ref, age_kind, duties_kind, ever_linked, revision, created_at, updated_at)
            select '\(app)', 'p-' || n, md5('\(app) p' || n)::uuid, 'notTold', 'notTold', false, 1, now(), now()
            from generate_series(1, \(count)) n;
            insert into question (app_id, id, person_ref, subject, topic, topic_value, reusable, description, quorum,
                expiration, created_at, updated_at, revision, state, ever_approved)
            select '\(app)', md5('\(app) q' || n)::uuid, md5('\(app) p' || n)::uuid,
                substring(sha256(convert_to('custom' || chr(31) || 's', 'UTF8')) for 16), 'custom', 's', true, 'x', 1,
                now() - interval '1 hour' - n * interval '1 ms', now() - interval '3 hours', now() - interval '3 hours',
                1, 'pending', false
            from generate_series(1, \(count)) n
            """)
    }

    private func pending(_ test: TestStore) throws -> Int {
        try test.count("select count(*) from question where state = 'pending'")
    }

    @Test func resolvesExactlyWhatIsOverdue() async throws {
        try await TestStore.with("sweep_exact") { test in
            let due = try #require(try await test.run(Samples.ask("p", "due")).question)
            let later = Instant.present.adding(milliseconds: 3_600_000)
            _ = try await test.run(Samples.ask("p", "later", expiration: later))
            let decided = try #require(try await test.run(Samples.ask("p", "decided")).question)
            _ = try await test.run(Samples.approval(decided.id))
            let early = try await sweeper(test).runOnce()
            #expect(early.resolved == 0 && early.lag == 0 && early.next == later && early.now < later)
            try test.makeOverdue([due.id, decided.id])
            let end = try #require(try await test.store.question(test.app, due.id)).question.expiration
            let before = try await test.log().count
            let report = try await sweeper(test).runOnce()
            #expect(report.resolved == 1 && report.lag > 0 && report.next == later && !report.leftToOthers)
            let events = try await test.log().dropFirst(before)
            #expect(events.map(\.type) == [.questionExpired])
            guard case .question(let expired, nil) = events.first?.data else {
                Issue.record("no question in the event")
                return
            }
            #expect(expired.id == due.id && expired.resolution == Resolution(by: .silence, at: end, reason: nil))
            #expect(try pending(test) == 1)
            // Again: nothing is left, so nothing happens.
            let dump = try test.dump().filter { !$0.hasPrefix("sweep_lease") }
            #expect(try await sweeper(test).runOnce().resolved == 0)
            #expect(try test.dump().filter { !$0.hasPrefix("sweep_lease") } == dump)
        }
    }

    @Test func goesOnUntilNothingIsLeftAppByApp() async throws {
        try await TestStore.with("sweep_apps") { test in
            for app in ["a", "b", "c"] {
                _ = try await test.run(.putApp(AppSettings(name: app), .none), app: AppID(trusted: app))
            }
            for (app, count) in [("a", 130), ("b", 1), ("c", 64), ("reader", 63)] { try overdue(test, count, app: app) }
            let report = try await sweeper(test, round: 32).runOnce()
            #expect(report.resolved == 258 && report.next == nil)
            #expect(report.lag >= 3_600_000_000)
            #expect(try pending(test) == 0)
            for (app, count) in [("a", 130), ("b", 1), ("c", 64), ("reader", 63)] {
                let log = try await test.log(AppID(trusted: app))
                #expect(log.map(\.seq) == Array(1...Int64(count + 1)))
                #expect(log.count { $0.type == .questionExpired } == count)
            }
            // Apps take turns: the small one does not wait for the big one's end.
            let ends = try test.texts(
                "select app_id from (select app_id, max(at) m from event where type = 'question.expired' group by 1) s order by m"
            )
            #expect(ends.first == "b" && ends.last == "a")
        }
    }

    @Test func whatFailsInOneAppKeepsNoOtherWaiting() async throws {
        try await TestStore.with("sweep_damaged") { test in
            _ = try await test.run(.putApp(AppSettings(name: "A"), .none), app: AppID(trusted: "a"))
            try overdue(test, 1, app: "a")
            try overdue(test, 3)
            // A row that no version wrote, and that none can read.
            try test.execute("update question set resolved_by = 'child' where app_id = 'a'")
            await #expect(throws: StoreFailure.self) { try await sweeper(test).runOnce() }
            #expect(try test.texts("select app_id from question where state = 'pending'") == ["a"])
        }
    }

    @Test func twoShareTheWorkWithoutDoingItTwice() async throws {
        try await TestStore.with("sweep_two") { test in
            let other = TestStore(test.settings)
            for app in ["a", "b", "c"] {
                _ = try await test.run(.putApp(AppSettings(name: app), .none), app: AppID(trusted: app))
                try overdue(test, 300, app: app)
            }
            async let first = sweeper(test, holder: 1, round: 64).runOnce()
            async let second = sweeper(other, holder: 2, round: 64).runOnce()
            let reports = try await [first, second]
            #expect(reports.reduce(0) { $0 + $1.resolved } == 900 - (try pending(test)))
            // Whoever came to an app second has left it to the other.
            while try pending(test) > 0 { _ = try await sweeper(test, holder: 1).runOnce() }
            #expect(try test.count("select count(*) from event where type = 'question.expired'") == 900)
            #expect(
                try test.count("select count(distinct question_id) from event where type = 'question.expired'") == 900)
            await other.store.stop(within: .seconds(5))
        }
    }

    @Test func whatAVanishedHolderLeftPassesOn() async throws {
        try await TestStore.with("sweep_lease") { test in
            try overdue(test, 3)
            #expect(try await test.store.claimSweep(test.app, holder: Identifier(high: 9, low: 9)))
            let report = try await sweeper(test).runOnce()
            #expect(report.resolved == 0 && report.leftToOthers)
            try test.execute("update sweep_lease set until = clock_timestamp()")
            let next = try await sweeper(test).runOnce()
            #expect(next.resolved == 3 && !next.leftToOthers)
            // Its own lease it renews.
            #expect(try test.count("select count(*) from sweep_lease where until > clock_timestamp()") == 1)
            #expect(try await test.store.claimSweep(test.app, holder: Identifier(high: 1, low: 1)))
            #expect(try await !test.store.claimSweep(test.app, holder: Identifier(high: 9, low: 9)))
        }
    }

    /// The expiration of a question asked while the sweeper sleeps till a later one cuts that sleep short.
    @Test func wakesAtTheNextExpirationHoweverLateItIsAskedFor() async throws {
        let alarm = Alarm()
        try await TestStore.with("sweep_wakes", expires: { alarm.ring(at: $0) }) { test in
            let (reports, report) = AsyncStream.makeStream(of: Sweeper.Report.self)
            let sweeper = sweeper(test, alarm: alarm) { if case .success(let done) = $0 { report.yield(done) } }
            let running = Task { await sweeper.run() }
            var resolved = 0
            var iterator = reports.makeAsyncIterator()
            _ = await iterator.next()
            let started = ContinuousClock.now
            for number in 0..<4 {
                let end = try await test.ask("p", CallerID(trusted: "s-\(number)"), expiringIn: 40).expiration
                while resolved <= number, let report = await iterator.next() {
                    resolved += report.resolved
                    if report.resolved > 0 { #expect(report.now >= end) }
                }
            }
            // The sweeper's own look comes every five seconds only, and would find one of the four at a time.
            #expect(ContinuousClock.now - started < .seconds(12))
            running.cancel()
            await running.value
        }
    }

    @Test func aGreatMany() async throws {
        try await TestStore.with("sweep_many") { test in
            try overdue(test, 20_000)
            let started = ContinuousClock.now
            let report = try await sweeper(test).runOnce()
            let seconds = (ContinuousClock.now - started) / .seconds(1)
            #expect(report.resolved == 20_000)
            #expect(try test.count("select seq from event_counter where app_id = 'reader'") == 20_001)
            print("swept \(Int(20_000 / seconds)) questions a second")
        }
    }

    @Test func aFailureIsToldAndTheSweeperGoesOn() async throws {
        let alarm = Alarm()
        try await TestStore.with("sweep_fails") { test in
            try overdue(test, 1)
            try test.execute("alter table sweep_lease rename to elsewhere")
            let (results, result) = AsyncStream.makeStream(of: Result<Sweeper.Report, StoreFailure>.self)
            let sweeper = sweeper(test, alarm: alarm) { result.yield($0) }
            let running = Task { await sweeper.run() }
            var iterator = results.makeAsyncIterator()
            guard case .failure = await iterator.next() else {
                Issue.record("no failure was told")
                return
            }
            try test.execute("alter table elsewhere rename to sweep_lease")
            var resolved = 0
            while resolved == 0 {
                alarm.ring()
                if case .success(let report) = await iterator.next() { resolved = report.resolved }
            }
            #expect(resolved == 1)
            running.cancel()
            await running.value
        }
    }
}
