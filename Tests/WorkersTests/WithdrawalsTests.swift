import Consent
import Store
import Synchronization
import TestSupport
import Testing

@testable import Workers

@Suite(.timeLimit(.minutes(5))) struct WithdrawalsTests {
    private func worker(
        _ test: TestStore, holder: UInt64 = 1, alarm: Alarm = Alarm(), step: Int = 1_024,
        observe: @escaping @Sendable (Result<Int, StoreFailure>) -> Void = { _ in }
    ) -> Withdrawals {
        Withdrawals(
            test.store, alarm: alarm, holder: Identifier(high: holder, low: holder), step: step, observe: observe)
    }

    /// So many questions of each of two changes, and of another topic.
    private func ask(_ test: TestStore, _ count: Int) async throws {
        for change: CallerID in ["gone", "stays"] { _ = try await test.run(.putChange(change, Samples.change, .none)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                let person = CallerID(trusted: "p-\(number)")
                for change: CallerID in ["gone", "stays"] {
                    let request = AskRequest(person: person, topic: .significantAppUpdate(change: change))
                    group.addTask { _ = try await test.run(.ask(request)) }
                }
                // The same id, but no change's.
                group.addTask { _ = try await test.run(Samples.ask(person, "gone")) }
            }
            try await group.waitForAll()
        }
    }

    private func pending(_ test: TestStore) throws -> [String] {
        try test.texts(
            """
            select concat_ws(' ', topic, topic_value, count(*)) from question where state = 'pending'
            group by topic, topic_value order by 1
            """)
    }

    @Test(arguments: [1_024, 7]) func cancelsExactlyWhatWaitsAboutTheChange(step: Int) async throws {
        try await TestStore.with("withdrawals_exact_\(step)") { test in
            try await ask(test, 20)
            #expect(try await worker(test, step: step).runOnce() == 0)
            _ = try await test.run(.withdrawChange("gone", reason: "mistaken"))
            let overdue = try test.texts(
                "select id from question where topic = 'significantAppUpdate' and topic_value = 'gone' limit 1")
            try test.makeOverdue(overdue.compactMap { Identifier($0) })
            #expect(try await worker(test, step: step).runOnce() == 19)
            let left = try pending(test)
            #expect(left == ["custom gone 20", "significantAppUpdate gone 1", "significantAppUpdate stays 20"])
            #expect(
                try test.count(
                    """
                    select count(*) from question where state = 'cancelled' and resolved_by = 'withdrawal'
                        and resolved_reason = 'mistaken'
                    """) == 19)
            #expect(try await test.log().count { $0.type == .questionCancelled } == 19)
            #expect(try await test.store.openWithdrawals().isEmpty)
            #expect(try await worker(test, step: step).runOnce() == 0)
        }
    }

    @Test func whoeverHoldsTheAppDoesIt() async throws {
        try await TestStore.with("withdrawals_lease") { test in
            try await ask(test, 3)
            _ = try await test.run(.withdrawChange("gone", reason: nil))
            #expect(try await test.store.claimSweep(test.app, holder: Identifier(high: 2, low: 2)))
            #expect(try await worker(test, holder: 1).runOnce() == 0)
            #expect(try await test.store.openWithdrawals().count == 1)
            #expect(try await worker(test, holder: 2).runOnce() == 3)
        }
    }

    @Test func wakesWhenAChangeIsWithdrawn() async throws {
        let alarm = Alarm()
        try await TestStore.with("withdrawals_alarm", withdraws: { alarm.ring() }) { test in
            try await ask(test, 5)
            let (runs, tell) = AsyncStream<Int>.makeStream()
            let worker = worker(test, alarm: alarm) { if case .success(let count) = $0 { tell.yield(count) } }
            let task = Task { await worker.run() }
            var cancelled = runs.makeAsyncIterator()
            #expect(await cancelled.next() == 0)
            let started = ContinuousClock.now
            _ = try await test.run(.withdrawChange("gone", reason: nil))
            var count = 0
            while count == 0 { count = await cancelled.next() ?? -1 }
            #expect(count == 5 && ContinuousClock.now - started < .seconds(4))
            task.cancel()
            await task.value
        }
    }

    @Test func whatFailsAboutOneChangeKeepsNoOtherWaiting() async throws {
        try await TestStore.with("withdrawals_damaged") { test in
            try await ask(test, 2)
            // A row that no version wrote, and that none can read.
            try test.execute(
                """
                update question set resolved_by = 'child'
                where topic = 'significantAppUpdate' and topic_value = 'gone' and person_ref in (
                    select ref from person where id = 'p-0')
                """)
            for change: CallerID in ["gone", "stays"] { _ = try await test.run(.withdrawChange(change, reason: nil)) }
            await #expect(throws: StoreFailure.self) { try await worker(test).runOnce() }
            #expect(try pending(test) == ["custom gone 2", "significantAppUpdate gone 1"])
            #expect(try test.texts("select id from change where withdrawal_open") == ["gone"])
        }
    }
}
