import Testing

@testable import Postgres

@Suite struct ConnectingTests {
    @Test func nextHostWhenTheFirstIsNotThere() throws {
        let good = try TestCluster.settings()
        let folder = try #require(good.hosts[0].host)
        let settings = try ConnectionSettings(
            url: "host=/nowhere,\(folder) port=5432 user=assent dbname=assent")
        #expect(settings.hosts.count == 2)
        let connection = try Connection(settings)
        #expect(connection.hostIndex == 1)
        #expect(try Connection(settings, startingAt: 1).hostIndex == 1)
    }

    @Test func readOnlyHostIsPassedOver() throws {
        _ = try TestCluster.database("readonly")
        try TestCluster.execute("alter database readonly set default_transaction_read_only = on")
        let good = try TestCluster.settings()
        let folder = try #require(good.hosts[0].host)
        let url = "host=\(folder) port=5432 user=assent dbname=readonly"
        let error = #expect(throws: DatabaseError.self) { try Connection(ConnectionSettings(url: url)) }
        #expect(error?.kind == .cannotConnect)
        #expect(error?.isRetryable == true)
        _ = try Connection(ConnectionSettings(url: url + " target_session_attrs=any"))
    }

    @Test func refusalsCarryTheirState() throws {
        let good = try TestCluster.settings()
        let folder = try #require(good.hosts[0].host)
        let noRole = #expect(throws: DatabaseError.self) {
            try Connection(ConnectionSettings(url: "host=\(folder) user=nobody-here dbname=assent"))
        }
        #expect(noRole?.sqlState == "28000")
        #expect(noRole?.isRetryable == false)
        let noDatabase = #expect(throws: DatabaseError.self) {
            try Connection(ConnectionSettings(url: "host=\(folder) user=assent dbname=nothing-here"))
        }
        #expect(noDatabase?.sqlState == "3D000")
        #expect(noDatabase?.connectMessage?.contains("nothing-here") == true)
        let nobody = #expect(throws: DatabaseError.self) {
            try Connection(ConnectionSettings(url: "host=/nowhere user=assent"))
        }
        #expect(nobody?.sqlState == nil)
        #expect(nobody?.isRetryable == true)
    }

    @Test func connectionStrings() throws {
        let settings = try ConnectionSettings(
            url: "postgresql://me:secret@one:5433,two:5434,[::1]:5435/db?sslmode=require")
        #expect(settings.hosts.map(\.host) == ["one", "two", "::1"])
        #expect(settings.hosts.map(\.port) == ["5433", "5434", "5435"])
        let keywords = settings.keywords(for: settings.hosts[1])
        func value(_ name: String) -> [String] { keywords.filter { $0.0 == name }.map(\.1) }
        #expect(value("sslmode") == ["require"])
        #expect(value("target_session_attrs") == ["read-write"])
        #expect(value("password") == ["secret"])
        #expect(value("host") == ["two"])
        #expect(try ConnectionSettings(url: "dbname=x").hosts == [ConnectionSettings.Host()])
        #expect(try ConnectionSettings(url: "host=a,b port=1").hosts.map(\.port) == ["1", "1"])
        #expect(throws: DatabaseError.self) { try ConnectionSettings(url: "host=a,b port=1,2,3") }
        let error = #expect(throws: DatabaseError.self) {
            try ConnectionSettings(url: "postgresql://me:secret@[broken/")
        }
        #expect(error.map { !"\($0)\(String(reflecting: $0))".contains("secret") } == true)
    }

    @Test func stateInVerboseMessages() {
        func state(_ text: String) -> String? { DatabaseError.sqlState(inVerbose: Array(text.utf8)) }
        #expect(state("connection to server failed: FATAL:  57P03: the database system is starting up") == "57P03")
        #expect(state("FATAL:  57P0") == nil)
        #expect(state("could not connect:  abc: x") == nil)
        #expect(state("") == nil)
    }
}
