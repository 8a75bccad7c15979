import Testing

@testable import Postgres

/// The answer to a commit is lost: nobody is told what did not happen, nothing happens twice.
@Suite(.timeLimit(.minutes(5))) struct LostCommitTests {
    let witness = Witness()

    private func run(
        _ table: String, _ fault: FaultProxy.Fault, _ change: (inout PoolSettings, inout Ledger) -> Void = { _, _ in }
    ) async throws -> (answer: BatchFailure?, count: Int64) {
        try Ledger.create(table)
        let proxy = try FaultProxy(before: TestCluster.settings())
        defer { proxy.close() }
        var settings = PoolSettings(proxy.settings, name: "writer", threads: 1)
        var ledger = Ledger(table: table)
        change(&settings, &ledger)
        let pool = WriterPool(settings, handler: ledger, observe: witness.note)
        #expect(await pool.write(1) == nil)
        proxy.arm(fault)
        let answer = await pool.write(2)
        #expect(await pool.write(3) == nil)
        await pool.stop(within: .seconds(5))
        var parameters = Parameters()
        parameters.append(text: table)
        let rows = try TestCluster.connect().run(
            Statement(
                "copies",
                """
                select (xpath('/row/n/text()', query_to_xml(
                  format('select count(*) as n from %I where number = 2', $1), false, true, '')))[1]::text::int8
                """, parameterTypes: [.text]), parameters)
        return (answer, try rows[0].int8(0))
    }

    private func outcomes(_ wanted: CommitOutcome) -> Int {
        witness.count { if case .outcome(let outcome) = $0 { outcome == wanted } else { false } }
    }

    @Test func committedButUnanswered() async throws {
        let (answer, count) = try await run("lost_answer", .afterCommit)
        #expect(answer == nil)
        #expect(count == 1)
        #expect(outcomes(.committed) == 1)
    }

    @Test func neverReachedTheServer() async throws {
        let (answer, count) = try await run("lost_commit", .beforeCommit)
        #expect(answer == nil)
        #expect(count == 1)
        #expect(outcomes(.notCommitted) == 1)
    }

    /// The old session lives on with its transaction open: it is ended, and the batch runs again.
    @Test func silentPeer() async throws {
        let (answer, count) = try await run("lost_peer", .silence) { settings, _ in
            // Long enough for the flights that are answered, on a machine that has much else to do.
            settings.connection.flightTimeout = .seconds(2)
            settings.connection.idleInTransactionTimeout = .seconds(60)
        }
        #expect(answer == nil)
        #expect(count == 1)
        #expect(outcomes(.notCommitted) == 1)
    }

    /// A crash took the id back and gave it to another transaction, which committed: our rows are not there.
    @Test func identifierOfSomebodyElse() async throws {
        let theirs = try TestCluster.connect().run(Statement("theirs", "select pg_current_xact_id()"))[0].xid8(0)
        let (answer, count) = try await run("lost_other", .beforeCommit) { $1.claimed = { _ in theirs } }
        #expect(answer == nil)
        #expect(count == 1)
        #expect(outcomes(.notCommitted) == 1)
    }

    /// A crash took the id back and nobody has it yet: "in the future".
    @Test func identifierOfNobody() async throws {
        let (answer, count) = try await run("lost_future", .beforeCommit) { $1.claimed = { $0 + 1_000_000 } }
        #expect(answer == nil)
        #expect(count == 1)
        #expect(outcomes(.notCommitted) == 1)
    }

    @Test func unreachableAfterwards() async throws {
        try Ledger.create("lost_all")
        let proxy = try FaultProxy(before: TestCluster.settings())
        var settings = PoolSettings(proxy.settings, name: "writer", threads: 1)
        settings.outcomeLimit = .milliseconds(300)
        var ledger = Ledger(table: "lost_all")
        let isArmed = Countdown(1)
        ledger.before = { _, _ throws(DatabaseError) in
            if isArmed.next() { proxy.close() }
        }
        proxy.arm(.afterCommit)
        let pool = WriterPool(settings, handler: ledger, observe: witness.note)
        let answer = await pool.write(1)
        guard case .outcomeUnknown = answer else {
            Issue.record("ended in \(String(describing: answer))")
            return
        }
        #expect(outcomes(.unknown) == 1)
        #expect(await pool.stop(within: .milliseconds(100)))
    }
}
