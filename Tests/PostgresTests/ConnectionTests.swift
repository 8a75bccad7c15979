import Glibc
import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(5))) struct ConnectionTests {
    static let number = Statement("number", "select $1::int8", parameterTypes: [.int8])
    static let division = Statement("division", "select 1 / $1::int4", parameterTypes: [.int4])
    static let echo = Statement("echo", "select $1::bytea", parameterTypes: [.bytea])
    static let sleep = Statement("sleep", "select pg_sleep($1::int4)", parameterTypes: [.int4])

    static func numbers(_ value: Int64) -> Parameters {
        var parameters = Parameters()
        parameters.append(int8: value)
        return parameters
    }

    static func numbers(_ value: Int32) -> Parameters {
        var parameters = Parameters()
        parameters.append(int4: value)
        return parameters
    }

    @Test func manyStatementsInOneFlight() throws {
        let connection = try TestCluster.connect()
        var flight = Flight()
        for value in 0..<2_000 { #expect(flight.add(Self.number, Self.numbers(Int64(value))) == value) }
        let results = try connection.run(flight)
        #expect(try results.map { try $0[0].int8(0) } == (0..<2_000).map(Int64.init))
        #expect(try connection.run(Flight()).isEmpty)
    }

    /// Far more than both sockets' buffers, in both directions at once: neither side may wait for the other.
    @Test func largeFlightWithLargeAnswers() throws {
        let connection = try TestCluster.connect()
        var flight = Flight()
        let large = [UInt8](repeating: 7, count: 3_000_000)
        for _ in 0..<10 {
            var parameters = Parameters()
            parameters.append(bytes: large)
            flight.add(Self.echo, parameters)
        }
        for result in try connection.run(flight) { #expect(try result[0].bytes(0) == large) }
    }

    @Test func failureMidFlightLeavesTheSessionUsable() throws {
        let connection = try TestCluster.connect()
        var flight = Flight()
        flight.simple(.begin)
        flight.add(Self.number, Self.numbers(Int64(1)))
        flight.add(Self.division, Self.numbers(Int32(0)))
        flight.add(
            Self.echo,
            {
                var parameters = Parameters(); parameters.append(bytes: [1]); return parameters
            }())
        flight.simple(.commit)
        let error = #expect(throws: DatabaseError.self) { try connection.run(flight) }
        #expect(error?.sqlState == "22012")
        #expect(error?.kind == .server)
        #expect(error?.isRetryable == false)
        #expect(connection.isOpen && !connection.isInTransaction)
        // What was skipped has not been prepared, what ran has: both still work.
        #expect(try connection.run(Self.number, Self.numbers(Int64(7)))[0].int8(0) == 7)
        #expect(throws: DatabaseError.self) { try connection.run(Self.division, Self.numbers(Int32(0))) }
        #expect(try connection.run(Self.division, Self.numbers(Int32(1)))[0].int4(0) == 1)
    }

    @Test func unpreparableStatement() throws {
        let connection = try TestCluster.connect()
        let error = #expect(throws: DatabaseError.self) {
            try connection.run(Statement("nonsense", "select from nowhere"))
        }
        #expect(error?.sqlState == "42P01")
        #expect(try connection.run(Self.number, Self.numbers(Int64(7)))[0].int8(0) == 7)
    }

    @Test func commitOfAnAbortedTransactionIsAnError() throws {
        let connection = try TestCluster.connect()
        // Behind the connection's back: a transaction that failed and was not left.
        let handle = try #require(connection.handle)
        #expect(throws: DatabaseError.self) { try connection.fly(Self.failing, until: .now + .seconds(5)) }
        #expect(handle == connection.handle && connection.isInTransaction)
        var commit = Flight()
        commit.simple(.commit)
        let error = #expect(throws: DatabaseError.self) { try connection.run(commit) }
        #expect(error?.sqlState == "40000")
        #expect(connection.isOpen && !connection.isInTransaction)
    }

    private static var failing: Flight {
        var flight = Flight()
        flight.simple(.begin)
        flight.add(division, numbers(Int32(0)))
        return flight
    }

    @Test func commitSaysSo() throws {
        let connection = try TestCluster.connect()
        var flight = Flight()
        flight.simple(.begin)
        flight.simple(.commit)
        #expect(try connection.run(flight).map(\.commandTag) == ["BEGIN", "COMMIT"])
    }

    @Test func sessionIsSetUp() throws {
        let connection = try TestCluster.connect()
        let row = try connection.run(
            Statement(
                "settings",
                """
                select current_setting('plan_cache_mode'), current_setting('synchronous_commit'),
                       current_setting('statement_timeout'), current_setting('lock_timeout'),
                       current_setting('idle_in_transaction_session_timeout'), current_setting('timezone'),
                       current_setting('application_name'), current_setting('client_encoding'),
                       current_setting('jit')
                """))[0]
        // The test cluster has synchronous_commit off: it is raised.
        let expected = ["force_generic_plan", "on", "10s", "200ms", "10s", "UTC", "assent", "UTF8", "off"]
        #expect(try (0..<9).map { try row.text($0) } == expected)
    }

    @Test func indexPlansOnRequest() throws {
        let scans = Statement("scans", "select current_setting('enable_seqscan')")
        #expect(try TestCluster.connect().run(scans)[0].text(0) == "on")
        var settings = try TestCluster.settings()
        settings.indexPlansOnly = true
        #expect(try Connection(settings).run(scans)[0].text(0) == "off")
    }

    @Test func strongerSynchronousCommitStays() throws {
        let settings = try TestCluster.database("stronger")
        try TestCluster.execute("alter database stronger set synchronous_commit = 'remote_apply'")
        let row = try Connection(settings).run(
            Statement("level", "select current_setting('synchronous_commit')"))[0]
        #expect(try row.text(0) == "remote_apply")
    }

    @Test func terminatedWhileRunning() throws {
        let connection = try TestCluster.connect()
        let victim = try connection.run(Statement("backend", "select pg_backend_pid()"))[0].int4(0)
        #expect(DedicatedThread.run("killer") { try? Self.terminate(victim, once: "active") })
        let error = #expect(throws: DatabaseError.self) { try connection.run(Self.sleep, Self.numbers(Int32(8))) }
        #expect(error?.sqlState == "57P01")
        #expect(error?.isRetryable == true)
        #expect(!connection.isOpen)
        #expect(throws: DatabaseError.self) { try connection.run(Self.number, Self.numbers(Int64(1))) }
    }

    @Test func terminatedWhileIdle() throws {
        let connection = try TestCluster.connect()
        #expect(connection.checkAlive())
        let victim = try connection.run(Statement("backend", "select pg_backend_pid()"))[0].int4(0)
        try Self.terminate(victim, once: "idle")
        let limit = MonotonicTime.now + .seconds(5)
        while connection.checkAlive(), .now < limit {}
        #expect(!connection.isOpen)
    }

    static func terminate(_ backend: Int32, once state: String) throws {
        try TestCluster.execute(
            """
            do $$ begin
              while not exists (select from pg_stat_activity where pid = \(backend) and state = '\(state)'
                                and query not like '%pg_backend_pid%' or pid = \(backend) and '\(state)' = 'idle') loop
                perform pg_stat_clear_snapshot();
              end loop;
              perform pg_terminate_backend(\(backend), 5000);
            end $$
            """)
    }

    @Test func clientLimitFreesTheThread() throws {
        let connection = try TestCluster.connect()
        var flight = Flight()
        flight.add(Self.sleep, Self.numbers(Int32(8)))
        let start = MonotonicTime.now
        let error = #expect(throws: DatabaseError.self) { try connection.run(flight, within: .milliseconds(100)) }
        #expect(error?.kind == .timeout)
        #expect(MonotonicTime.now.since(start) < .seconds(4))
        #expect(!connection.isOpen)
    }

    @Test func serverLimitIsAnError() throws {
        var settings = try TestCluster.settings()
        settings.statementTimeout = .milliseconds(50)
        let connection = try Connection(settings)
        let error = #expect(throws: DatabaseError.self) { try connection.run(Self.sleep, Self.numbers(Int32(8))) }
        #expect(error?.sqlState == "57014")
        #expect(connection.isOpen)
    }

    @Test func interruptEndsAWait() throws {
        let interrupt = Interrupt()
        let connection = try Connection(TestCluster.settings(), interrupt: interrupt)
        #expect(DedicatedThread.run("interrupt") { interrupt.fire() })
        let error = #expect(throws: DatabaseError.self) { try connection.run(Self.sleep, Self.numbers(Int32(8))) }
        #expect(error?.kind == .timeout)
        #expect(throws: DatabaseError.self) { try Connection(TestCluster.settings(), interrupt: interrupt) }
    }

    @Test func changedResultTypeAsksForANewSession() throws {
        try TestCluster.execute("drop table if exists reshaped; create table reshaped (value int4)")
        let connection = try TestCluster.connect()
        let statement = Statement("reshaped", "select * from reshaped")
        _ = try connection.run(statement)
        try TestCluster.execute("alter table reshaped add other text")
        let error = #expect(throws: DatabaseError.self) { try connection.run(statement) }
        #expect(error?.sqlState == "0A000")
        #expect(error?.isRetryable == true)
        #expect(!connection.isOpen)
        #expect(try TestCluster.connect().run(statement).columnCount == 2)
    }

    @Test func simpleProtocol() throws {
        let connection = try TestCluster.connect()
        try connection.execute("create temp table t (n int4); insert into t values (1); insert into t values (2)")
        let count = Statement("count", "select count(*) from t")
        #expect(try connection.run(count)[0].int8(0) == 2)
        let error = #expect(throws: DatabaseError.self) {
            try connection.execute("insert into t values (3); select 1/0")
        }
        #expect(error?.sqlState == "22012")
        #expect(try connection.run(count)[0].int8(0) == 2)
        #expect(throws: DatabaseError.self) { try connection.execute("begin; insert into t values (3); nonsense") }
        #expect(!connection.isInTransaction)
        #expect(throws: DatabaseError.self) { try connection.execute("copy t to stdout") }
    }
}
