import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(5))) struct WriterPoolTests {
    let witness = Witness()

    private func pool(
        _ table: String, settings: ConnectionSettings? = nil, threads: Int = 1,
        _ change: (inout PoolSettings, inout Ledger) -> Void = { _, _ in }
    ) throws -> WriterPool<Ledger> {
        try Ledger.create(table)
        var settings = PoolSettings(try settings ?? TestCluster.settings(), name: "writer", threads: threads)
        var ledger = Ledger(table: table)
        change(&settings, &ledger)
        return WriterPool(settings, handler: ledger, observe: witness.note)
    }

    private func numbers(in table: String) throws -> [Int64] {
        let connection = try TestCluster.connect()
        try connection.execute("create or replace temp view ledger as select number from \(table)")
        return try connection.run(Statement("numbers", "select number from ledger order by 1")).map { try $0.int8(0) }
    }

    private func writeAll(_ pool: WriterPool<Ledger>, _ numbers: ClosedRange<Int64>, poison: Set<Int64> = []) async
        -> [Int64: BatchFailure]
    {
        await withTaskGroup(of: (Int64, BatchFailure?).self) { group in
            for number in numbers {
                group.addTask { (number, await pool.write(number, isPoison: poison.contains(number))) }
            }
            var failures: [Int64: BatchFailure] = [:]
            for await (number, failure) in group { failures[number] = failure }
            return failures
        }
    }

    @Test func writesInBatches() async throws {
        let pool = try pool("batches", threads: 3)
        #expect(await writeAll(pool, 1...500).isEmpty)
        #expect(try numbers(in: "batches") == Array(1...500))
        let commits = witness.count { if case .committed = $0 { true } else { false } }
        #expect(commits < 500)
        #expect(pool.isConnected)
        #expect(await pool.stop(within: .seconds(5)))
        #expect(!pool.isConnected)
        #expect(await pool.write(501) != nil)
    }

    @Test func halvingIsolatesTheCulprits() async throws {
        let pool = try pool("halving")
        let failures = await writeAll(pool, 1...100, poison: [17, 63])
        #expect(failures.count == 2)
        for number: Int64 in [17, 63] {
            guard case .poisoned(let error) = failures[number] else {
                Issue.record("\(number) ended in \(String(describing: failures[number]))")
                continue
            }
            #expect(error.constraint == "no_poison")
        }
        #expect(try numbers(in: "halving") == (1...100).filter { $0 != 17 && $0 != 63 })
        await pool.stop(within: .seconds(5))
    }

    @Test func nothingToWriteIsToldAndLeavesNoTransaction() async throws {
        let pool = try pool("unwanted")
        #expect(await pool.write(1, isUnwanted: true) == nil)
        #expect(await pool.write(2) == nil)
        #expect(try numbers(in: "unwanted") == [2])
        #expect(witness.count { if case .committed = $0 { true } else { false } } == 1)
        await pool.stop(within: .seconds(5))
    }

    /// The server asks for another try a few times, each time in its own words.
    @Test(arguments: ["40001", "40P01", "55P03"])
    func serverAsksToTryAgain(state: String) async throws {
        let table = "retry_" + state.lowercased()
        let left = Countdown(3)
        let pool = try pool(table) { _, ledger in
            ledger.before = { connection, _ throws(DatabaseError) in
                if left.next() {
                    try connection.execute("do $$ begin raise exception 'again' using errcode = '\(state)'; end $$")
                }
            }
        }
        #expect(await pool.write(1) == nil)
        #expect(try numbers(in: table) == [1])
        #expect(witness.count { if case .retried = $0 { true } else { false } } == 3)
        await pool.stop(within: .seconds(5))
    }

    /// A statement that the server gave up for want of time says nothing against what it was to do.
    @Test func whatTakesTooLongIsTheDatabasesFault() async throws {
        var settings = try TestCluster.settings()
        // Long enough for the statements that are not slow, on a machine that has much else to do.
        settings.statementTimeout = .seconds(1)
        let pool = try pool("too_slow", settings: settings) { _, ledger in
            ledger.before = { connection, items throws(DatabaseError) in
                guard items.contains(where: { $0.number == 2 }) else { return }
                _ = try connection.run(Statement("too_slow", "select pg_sleep(9)"))
            }
        }
        let failures = await writeAll(pool, 1...3)
        guard failures.count == 1, case .unavailable(let error) = failures[2] else {
            Issue.record("\(failures)")
            return
        }
        #expect(error.sqlState == "57014")
        #expect(try numbers(in: "too_slow") == [1, 3])
        await pool.stop(within: .seconds(5))
    }

    @Test func endlessRetriesEnd() async throws {
        let pool = try pool("endless") { settings, ledger in
            settings.retries = 2
            ledger.before = { connection, items throws(DatabaseError) in
                guard items.contains(where: { $0.number == 3 }) else { return }
                try connection.execute("do $$ begin raise exception 'again' using errcode = '40001'; end $$")
            }
        }
        let failures = await writeAll(pool, 1...8)
        #expect(Array(failures.keys) == [3])
        guard case .unavailable(let error) = failures[3] else {
            Issue.record("not unavailable")
            return
        }
        #expect(error.sqlState == "40001")
        #expect(try numbers(in: "endless") == [1, 2, 4, 5, 6, 7, 8])
        await pool.stop(within: .seconds(5))
    }

    /// A unique violation is tried again, because another transaction may just have been first; one that stays is the
    /// item's own fault and not the database's absence.
    @Test func lastingUniqueViolationIsTheItemsOwn() async throws {
        let pool = try pool("unique_lasting") { settings, ledger in
            settings.retries = 1
            ledger.before = { connection, items throws(DatabaseError) in
                guard items.contains(where: { $0.number == 2 }) else { return }
                try connection.execute("do $$ begin raise exception 'there' using errcode = '23505'; end $$")
            }
        }
        let failures = await writeAll(pool, 1...4)
        guard failures.count == 1, case .poisoned(let error) = failures[2] else {
            Issue.record("ended in \(failures)")
            return
        }
        #expect(error.sqlState == "23505")
        #expect(try numbers(in: "unique_lasting") == [1, 3, 4])
        await pool.stop(within: .seconds(5))
    }

    /// A real deadlock and a real lock wait, not raised ones: two pools lock two rows in opposite order.
    @Test func realDeadlocksAndLockWaitsHeal() async throws {
        try TestCluster.execute(
            """
            drop table if exists rows_to_lock; create table rows_to_lock (id int primary key, n int);
            insert into rows_to_lock values (1, 0), (2, 0)
            """)
        @Sendable func locking(_ first: Int, _ second: Int)
            -> @Sendable (Connection, [Ledger.Entry]) throws(DatabaseError) -> Void
        {
            { connection, _ throws(DatabaseError) in
                try connection.execute("update rows_to_lock set n = n + 1 where id = \(first)")
                try connection.execute("update rows_to_lock set n = n + 1 where id = \(second)")
            }
        }
        let one = try pool("deadlock_one") {
            $0.retries = 50; $1.before = locking(1, 2)
        }
        let two = try pool("deadlock_two") {
            $0.retries = 50; $1.before = locking(2, 1)
        }
        async let left = writeAll(one, 1...20)
        async let right = writeAll(two, 1...20)
        #expect(await left.isEmpty)
        #expect(await right.isEmpty)
        #expect(try numbers(in: "deadlock_one") == Array(1...20))
        #expect(try numbers(in: "deadlock_two") == Array(1...20))
        await one.stop(within: .seconds(5))
        await two.stop(within: .seconds(5))
    }

    @Test func lockHeldElsewhereIsWaitedForInShortPieces() async throws {
        let pool = try pool("locked") { settings, ledger in
            settings.retries = 1_000
            ledger.before = { connection, _ throws(DatabaseError) in
                try connection.execute("select pg_advisory_xact_lock(4711)")
            }
        }
        let holder = try TestCluster.connect()
        try holder.execute("select pg_advisory_lock(4711)")
        async let answer = pool.write(1)
        #expect(await witness.sees { if case .retried(let error) = $0 { error.sqlState == "55P03" } else { false } })
        holder.close()
        #expect(await answer == nil)
        await pool.stop(within: .seconds(5))
    }

    @Test func checkBeforeCommitCanUndo() async throws {
        let left = Countdown(1)
        let pool = try pool("checked") { _, ledger in
            ledger.commit = .afterCheck
            ledger.checked = { results throws(DatabaseError) in
                guard results.count == 1, !left.next() else {
                    throw DatabaseError(.server, sqlState: "40001", detail: "a conflict found in the results")
                }
            }
        }
        #expect(await pool.write(1) == nil)
        #expect(try numbers(in: "checked") == [1])
        #expect(witness.count { if case .retried = $0 { true } else { false } } == 1)
        await pool.stop(within: .seconds(5))
    }

    @Test func checkAfterCommitMakesTheOutcomeUnknown() async throws {
        let pool = try pool("checked_late") { _, ledger in
            ledger.checked = { results throws(DatabaseError) in
                throw DatabaseError(.protocolViolation, detail: "\(results.count) results")
            }
        }
        guard case .outcomeUnknown = await pool.write(1) else {
            Issue.record("told or failed")
            return
        }
        await pool.stop(within: .seconds(5))
    }

    /// A handler that cannot make sense of a row must not leave its transaction open.
    @Test func throwingHandlerLeavesNoTransaction() async throws {
        let pool = try pool("nonsense") { _, ledger in
            ledger.before = { _, items throws(DatabaseError) in
                if items.contains(where: { $0.number == 1 }) { throw DatabaseError(.protocolViolation, detail: "") }
            }
        }
        guard case .poisoned = await pool.write(1) else {
            Issue.record("not poisoned")
            return
        }
        #expect(await pool.write(2) == nil)
        #expect(try numbers(in: "nonsense") == [2])
        await pool.stop(within: .seconds(5))
    }

    @Test func lostBeforeTheCommitRunsAgain() async throws {
        let left = Countdown(1)
        let pool = try pool("lost_early") { _, ledger in
            ledger.before = { connection, _ throws(DatabaseError) in
                if left.next() { try connection.execute("select pg_terminate_backend(pg_backend_pid())") }
            }
        }
        #expect(await pool.write(1) == nil)
        #expect(try numbers(in: "lost_early") == [1])
        #expect(await witness.sees { if case .connected(afterFailures: 1) = $0 { true } else { false } })
        await pool.stop(within: .seconds(5))
    }

    /// Work that kills its session every time must not do so for ever.
    @Test func alwaysLosingTheConnectionEnds() async throws {
        let pool = try pool("lost_always") { _, ledger in
            ledger.before = { connection, items throws(DatabaseError) in
                guard items.contains(where: { $0.number == 2 }) else { return }
                try connection.execute("select pg_terminate_backend(pg_backend_pid())")
            }
        }
        let failures = await writeAll(pool, 1...4)
        #expect(Array(failures.keys) == [2])
        #expect(try numbers(in: "lost_always") == [1, 3, 4])
        await pool.stop(within: .seconds(5))
    }

    @Test func expiredItemsFailAndCancelledOnesAreSilent() async throws {
        let holder = try TestCluster.connect()
        try holder.execute("select pg_advisory_lock(4712)")
        let pool = try pool("expired") { settings, ledger in
            settings.connection.lockTimeout = .zero
            ledger.before = { connection, _ throws(DatabaseError) in
                try connection.execute("select pg_advisory_xact_lock(4712)")
            }
        }
        async let first = pool.write(1)
        while pool.depth > 0 || !pool.isConnected { await Task.yield() }
        let late = await pool.write(2, within: .milliseconds(50))
        guard case .expired = late else {
            Issue.record("ended in \(String(describing: late))")
            return
        }
        guard
            case .accepted(let ticket) = pool.submit(
                Ledger.Entry(number: 3) { _ in Issue.record("answered after being taken back") }, lane: "lane",
                deadline: .never)
        else {
            Issue.record("not accepted")
            return
        }
        #expect(pool.cancel(ticket)?.number == 3)
        holder.close()
        #expect(await first == nil)
        #expect(try numbers(in: "expired") == [1])
        await pool.stop(within: .seconds(5))
    }

    @Test func stopIsBoundedAndAnswersEveryone() async throws {
        let holder = try TestCluster.connect()
        try holder.execute("select pg_advisory_lock(4713)")
        let pool = try pool("stopped") { settings, ledger in
            settings.connection.lockTimeout = .zero
            settings.limits.batchCount = 1
            ledger.before = { connection, _ throws(DatabaseError) in
                try connection.execute("select pg_advisory_xact_lock(4713)")
            }
        }
        async let failures = writeAll(pool, 1...5)
        while pool.depth < 4 { await Task.yield() }
        let start = MonotonicTime.now
        #expect(await pool.stop(within: .milliseconds(100)))
        #expect(MonotonicTime.now.since(start) < .seconds(2))
        let ended = await failures
        #expect(ended.count == 5)
        for failure in ended.values {
            guard case .stopping = failure else {
                Issue.record("ended in \(failure)")
                continue
            }
        }
        holder.close()
        #expect(try numbers(in: "stopped").isEmpty)
    }
}

/// Says yes so many times, to all threads together.
final class Countdown: Sendable {
    private let monitor = Monitor()
    nonisolated(unsafe) private var left: Int  // under `monitor`

    init(_ left: Int) {
        self.left = left
    }

    func next() -> Bool {
        monitor.locked {
            left -= 1
            return left >= 0
        }
    }
}
