import Glibc

@testable import Postgres

/// One throw-away cluster for all tests of this target.
enum TestCluster {
    private static let cluster: Result<EmbeddedCluster, EmbeddedError> = {
        atexit { try? TestCluster.cluster.get().stop() }
        return Result { () throws(EmbeddedError) in
            var configuration = try EmbeddedConfiguration.disposable()
            configuration.settings = [("deadlock_timeout", "50ms")]
            let cluster = try EmbeddedCluster.start(configuration)
            do throws(DatabaseError) {
                try Ledger.prepare(ConnectionSettings(url: cluster.connectionString))
            } catch {
                throw EmbeddedError.database(error)
            }
            return cluster
        }
    }()

    static func settings() throws -> ConnectionSettings {
        try ConnectionSettings(url: cluster.get().connectionString)
    }

    static func connect() throws -> Connection {
        try Connection(settings())
    }

    /// Runs SQL on a connection of its own.
    static func execute(_ sql: String) throws {
        let connection = try connect()
        defer { connection.close() }
        try connection.execute(sql)
    }

    /// The settings for a new, empty database of that name.
    static func database(_ name: String) throws -> ConnectionSettings {
        try execute("drop database if exists \(name) with (force)")
        try execute("create database \(name)")
        return try ConnectionSettings(url: cluster.get().connectionString + " dbname=\(name)")
    }
}
