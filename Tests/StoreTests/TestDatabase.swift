import Consent
import Glibc
import Postgres
import Synchronization

@testable import Store

/// One throw-away cluster for all tests of this target, and a migrated database for each suite that asks.
enum TestDatabase {
    private static let cluster: Result<EmbeddedCluster, EmbeddedError> = {
        atexit { try? TestDatabase.cluster.get().stop() }
        return Result { () throws(EmbeddedError) in try EmbeddedCluster.start(try .disposable()) }
    }()

    /// The folder of the checkout that these tests were built from.
    static let checkout = #filePath.components(before: "/Tests/")

    /// Settings of a new, migrated database of that name.
    static func make(_ name: String) throws -> ConnectionSettings {
        let base = try cluster.get().connectionString
        let server = try Connection(ConnectionSettings(url: base))
        try server.execute("drop database if exists \(name) with (force)")
        try server.execute("create database \(name)")
        server.close()
        let settings = try ConnectionSettings(url: base + " dbname=\(name)")
        try Migrator(settings, Migration.read(folder: checkout + "/migrations")).migrate()
        return settings
    }
}

extension String {
    fileprivate func components(before separator: String) -> String {
        guard let range = firstRange(of: separator) else { return self }
        return String(self[..<range.lowerBound])
    }
}

/// A store over a database of its own with the app "reader" in it.
struct TestStore {
    let store: Store
    let settings: ConnectionSettings
    let app = AppID(trusted: "reader")

    init(_ name: String, policy: Policy = Policy()) async throws {
        settings = try TestDatabase.make(name)
        var storing = Store.Settings(settings)
        storing.writers = 3
        storing.readers = 2
        store = Store(storing)
        _ = try await store.submit(
            Submission(app: app, command: .putApp(AppSettings(name: "Reader", policy: policy), .none)))
    }

    func run(_ command: Command, key: IdempotencyKey? = nil) async throws(StoreFailure) -> Reply {
        try await store.submit(Submission(app: app, command: command, idempotency: key))
    }

    /// Reads one number with SQL of the test's own.
    func count(_ sql: String) throws -> Int {
        let connection = try Connection(settings)
        defer { connection.close() }
        var flight = Flight()
        flight.add(Statement("test_count", sql))
        return Int(try connection.run(flight)[0][0].int8(0))
    }

    func execute(_ sql: String) throws {
        let connection = try Connection(settings)
        defer { connection.close() }
        try connection.execute(sql)
    }
}

extension CallerID: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(trusted: text) }
}
