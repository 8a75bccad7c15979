import Glibc
import Postgres
import Store

/// One throw-away cluster with the schema in it, for all tests of this target.
enum TestDatabase {
    private static let cluster: Result<EmbeddedCluster, EmbeddedError> = {
        atexit { try? TestDatabase.cluster.get().stop() }
        return Result { () throws(EmbeddedError) in
            var configuration = try EmbeddedConfiguration.disposable()
            // Instances of the tests' own, each with connections of its own, run side by side.
            configuration.settings = [("max_connections", "300")]
            return try EmbeddedCluster.start(configuration)
        }
    }()

    private static let migrated: Result<ConnectionSettings, any Error> = Result {
        let settings = try ConnectionSettings(url: cluster.get().connectionString)
        let folder = #filePath.components(separatedBy: "/Tests/")[0] + "/migrations"
        try Migrator(settings, try Migration.read(folder: folder)).migrate()
        return settings
    }

    static func settings() throws -> ConnectionSettings {
        try migrated.get()
    }

    /// Runs SQL beside the server, for what no request can bring about.
    static func execute(_ sql: String) throws {
        let connection = try Connection(settings())
        defer { connection.close() }
        try connection.execute(sql)
    }
}

extension String {
    /// `Foundation`'s, without it.
    fileprivate func components(separatedBy separator: String) -> [String] {
        guard let range = firstRange(of: separator) else { return [self] }
        return [String(self[..<range.lowerBound]), String(self[range.upperBound...])]
    }
}
