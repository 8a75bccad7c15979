import Glibc
package import Postgres
import Synchronization

/// One throw-away cluster for all tests of a target, and a migrated database for each test that asks.
package enum TestDatabase {
    private static let cluster: Result<EmbeddedCluster, EmbeddedError> = {
        atexit { try? TestDatabase.cluster.get().stop() }
        return Result { () throws(EmbeddedError) in
            var configuration = try EmbeddedConfiguration.disposable()
            configuration.settings = [("max_connections", "500"), ("deadlock_timeout", "50ms")]
            return try EmbeddedCluster.start(configuration)
        }
    }()

    /// A database that has every migration; the others are copies of it. Nobody stays connected to it.
    private static let template: Result<String, any Error> = Result {
        let name = "migrated"
        try administer("create database \(name)")
        let settings = try ConnectionSettings(url: cluster.get().connectionString + " dbname=\(name)")
        try migrate(settings)
        return name
    }

    /// The folder of the checkout that these tests were built from.
    package static let checkout = #filePath.before("/Tests/")

    /// Settings of a new, migrated database of that name.
    package static func make(_ name: String) throws -> ConnectionSettings {
        try administer("create database \(name) template \(template.get())")
        return try ConnectionSettings(url: cluster.get().connectionString + " dbname=\(name)")
    }

    package static func drop(_ name: String) throws {
        try administer("drop database if exists \(name) with (force)")
    }

    /// Brings an empty database up to date.
    package static func migrate(_ settings: ConnectionSettings) throws {
        try Migrator(settings, Migration.read(folder: checkout + "/migrations")).migrate()
    }

    /// The SQL of the migration with that name, whichever number it has.
    package static func migration(_ name: String) throws -> String {
        let all = try Migration.read(folder: checkout + "/migrations")
        return all.first { $0.name == name }?.sql ?? ""
    }

    private static func administer(_ sql: String) throws {
        var settings = try ConnectionSettings(url: cluster.get().connectionString)
        settings.statementTimeout = .seconds(60)
        settings.flightTimeout = .seconds(60)
        let connection = try Connection(settings)
        defer { connection.close() }
        try connection.execute(sql)
    }
}

extension String {
    fileprivate func before(_ separator: String) -> String {
        guard let range = firstRange(of: separator) else { return self }
        return String(self[..<range.lowerBound])
    }
}
