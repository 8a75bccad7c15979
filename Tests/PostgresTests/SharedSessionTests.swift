import Testing

@testable import Postgres

/// Behind a pooler that gives each transaction another session: nothing may be kept in one.
@Suite(.timeLimit(.minutes(5))) struct SharedSessionTests {
    private static let settings = Statement(
        "settings",
        """
        select current_setting('lock_timeout'), current_setting('statement_timeout'), current_setting('synchronous_commit'),
               current_setting('timezone'), current_setting('enable_seqscan'), current_setting('transaction_isolation')
        """)
    private static let prepared = Statement("prepared", "select count(*) from pg_prepared_statements")
    private static let expected = ["200ms", "10s", "on", "UTC", "off", "read committed"]

    private func connect() throws -> Connection {
        var settings = try TestCluster.settings()
        settings.sharesSessions = true
        settings.indexPlansOnly = true
        return try Connection(settings)
    }

    private func texts(_ result: ResultSet?) throws -> [String] {
        let row = try #require(result)[0]
        return try (0..<6).map { try row.text($0) }
    }

    @Test func whatIsSetHoldsForEachTransactionAndNoLonger() throws {
        let connection = try connect()
        #expect(try texts(connection.run(Self.settings)) == Self.expected)
        // The simple protocol sees the session as the next one would who is given it.
        try connection.execute(
            """
            do $$ begin
              if current_setting('lock_timeout') <> '0' or current_setting('enable_seqscan') <> 'on' then
                raise 'something stayed';
              end if;
            end $$
            """)
        try connection.execute("set default_transaction_isolation = 'serializable'")
        var flight = Flight()
        flight.simple(.begin)
        #expect(flight.add(Self.settings) == 1)
        #expect(try texts(connection.run(flight)[1]) == Self.expected)
        // The transaction goes on in the next flight, and is what it was.
        flight = Flight()
        #expect(flight.add(Self.settings) == 0)
        flight.simple(.commit)
        let results = try connection.run(flight)
        #expect(try texts(results[0]) == Self.expected && results[1].commandTag == "COMMIT")
    }

    @Test func nothingIsPrepared() throws {
        let connection = try connect()
        for value in 0..<3 {
            let row = try connection.run(ConnectionTests.number, ConnectionTests.numbers(Int64(value)))[0]
            #expect(try row.int8(0) == Int64(value))
        }
        #expect(try connection.run(Self.prepared)[0].int8(0) == 0)
        #expect(throws: DatabaseError.self) {
            try connection.run(ConnectionTests.division, ConnectionTests.numbers(Int32(0)))
        }
        #expect(connection.isOpen && !connection.isInTransaction)
        #expect(try connection.run(ConnectionTests.division, ConnectionTests.numbers(Int32(1)))[0].int4(0) == 1)
    }

    @Test func migrationsAreRefused() throws {
        var settings = try TestCluster.settings()
        settings.sharesSessions = true
        #expect(throws: MigrationError.self) { try Migrator(settings, []).migrate() }
    }
}
