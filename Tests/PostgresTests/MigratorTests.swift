import Glibc
import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(5))) struct MigratorTests {
    private let first = Migration(number: 1, name: "people", sql: "create table people (id text primary key);")
    private let second = Migration(
        number: 2, name: "two_steps", sql: "alter table people add n int; insert into people values ('é', 1);")

    private func names(_ settings: ConnectionSettings) throws -> [String] {
        try Connection(settings).run(
            Statement("recorded", "select number || ' ' || name from schema_migration order by number")
        ).map { try $0.text(0) }
    }

    @Test func appliesInOrderAndOnce() throws {
        let settings = try TestCluster.database("migrate_once")
        let both = try Migrator(settings, [second, first])
        #expect(try both.status().pending.map(\.number) == [1, 2])
        #expect(try Migrator(settings, [first]).migrate() == [1])
        #expect(try both.status().applied == [1])
        #expect(try both.migrate() == [2])
        #expect(try both.migrate() == [])
        #expect(try both.status().isUpToDate)
        #expect(try names(settings) == ["1 people", "2 two_steps"])
    }

    @Test func newerDatabaseIsRefused() throws {
        let settings = try TestCluster.database("migrate_newer")
        try Migrator(settings, [first, second]).migrate()
        let error = #expect(throws: MigrationError.self) { try Migrator(settings, [first]).migrate() }
        guard case .newer(2, "two_steps") = error else {
            Issue.record("refused with \(String(describing: error))")
            return
        }
        #expect(try Migrator(settings, [first]).status().problem != nil)
    }

    @Test func editedMigrationIsRefused() throws {
        let settings = try TestCluster.database("migrate_edited")
        try Migrator(settings, [first]).migrate()
        let edited = Migration(number: 1, name: "people", sql: first.sql + " ")
        let error = #expect(throws: MigrationError.self) { try Migrator(settings, [edited, second]).migrate() }
        guard case .edited(1, "people") = error else {
            Issue.record("refused with \(String(describing: error))")
            return
        }
        #expect(try names(settings) == ["1 people"])
    }

    @Test func latecomerBelowIsRefused() throws {
        let settings = try TestCluster.database("migrate_below")
        try Migrator(settings, [first, Migration(number: 3, name: "later", sql: "select 1")]).migrate()
        let error = #expect(throws: MigrationError.self) {
            try Migrator(settings, [first, second, Migration(number: 3, name: "later", sql: "select 1")]).migrate()
        }
        guard case .outOfOrder(2, "two_steps") = error else {
            Issue.record("refused with \(String(describing: error))")
            return
        }
    }

    @Test func failedMigrationLeavesNothing() throws {
        let settings = try TestCluster.database("migrate_failed")
        let broken = Migration(number: 2, name: "broken", sql: "create table half (); select 1/0; create table rest ()")
        let error = #expect(throws: MigrationError.self) { try Migrator(settings, [first, broken]).migrate() }
        guard case .failed(2, "broken", let cause) = error else {
            Issue.record("failed with \(String(describing: error))")
            return
        }
        #expect(cause.sqlState == "22012")
        #expect(try names(settings) == ["1 people"])
        let half = try Connection(settings).run(Statement("half", "select to_regclass('half') is null"))
        #expect(try half[0].bool(0))
    }

    @Test func ownTransactionsAreRefused() throws {
        let settings = try TestCluster.database("migrate_leaving")
        let leaving = Migration(number: 1, name: "leaving", sql: "create table gone (); rollback")
        let error = #expect(throws: MigrationError.self) { try Migrator(settings, [leaving]).migrate() }
        guard case .leftTransaction(1, "leaving") = error else {
            Issue.record("ended with \(String(describing: error))")
            return
        }
        #expect(try names(settings) == [])
    }

    /// Both start at once; the lock lets one through, the other waits and finds everything done.
    @Test func twoAtOnce() async throws {
        let settings = try TestCluster.database("migrate_both")
        let slow = Migration(number: 3, name: "slow", sql: "select pg_sleep(0.2); create table slow ()")
        let applied = await withTaskGroup(of: [Int32].self) { group in
            for _ in 0..<2 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        _ = DedicatedThread.run("migrator") {
                            let numbers = try? Migrator(settings, [first, second, slow]).migrate()
                            continuation.resume(returning: numbers ?? [-1])
                        }
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(applied.sorted { $0.count < $1.count } == [[], [1, 2, 3]])
    }

    @Test func duplicatesAreRefused() throws {
        let settings = try TestCluster.settings()
        #expect(throws: MigrationError.self) { try Migrator(settings, [first, first]) }
    }

    @Test func readsAFolder() throws {
        let folder = try #require(File.makeUniqueFolder("/tmp/assent-migrations"))
        defer { ClusterFolder.remove(folder) }
        func write(_ name: String, _ text: [UInt8]) {
            let file = open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            _ = Glibc.write(file, text, text.count)
            close(file)
        }
        write("0002_second_step.sql", Array("select 2".utf8))
        write("0001_first.sql", Array("select 'é'".utf8))
        write("README.md", [])
        let read = try Migration.read(folder: folder)
        #expect(read.map(\.number) == [1, 2])
        #expect(read.map(\.name) == ["first", "second_step"])
        #expect(read.map(\.sql) == ["select 'é'", "select 2"])
        write("3_short.sql", [])
        #expect(throws: MigrationError.self) { try Migration.read(folder: folder) }
        unlink("\(folder)/3_short.sql")
        write("0003_latin.sql", [0xe9])
        #expect(throws: MigrationError.self) { try Migration.read(folder: folder) }
        #expect(throws: MigrationError.self) { try Migration.read(folder: folder + "/nowhere") }
    }
}
