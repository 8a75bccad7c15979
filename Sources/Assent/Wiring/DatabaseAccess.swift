import Postgres

/// The database a configuration names, reachable now: a server elsewhere, or the private cluster.
///
/// Where a server of ours runs the cluster already, it is used as it is; else it is started for as long as this is held.
struct DatabaseAccess: Sendable {
    let connection: ConnectionSettings
    /// Set where this process started it.
    let cluster: EmbeddedCluster?

    static func open(
        _ configuration: Configuration, observe: @escaping @Sendable (EmbeddedCluster.Observation) -> Void = { _ in }
    ) async throws(StartFailure) -> DatabaseAccess {
        if let missing = configuration.missingDatabase { throw .configuration(missing.sentence) }
        if let url = configuration.databaseURL {
            var connection = try settings(url, "DATABASE_URL")
            connection.sharesSessions = configuration.pooler == .transaction
            return DatabaseAccess(connection: connection, cluster: nil)
        }
        let folder = try PrivateCluster.folder(in: configuration.dataDirectory)
        let cluster: EmbeddedCluster
        do throws(EmbeddedError) {
            cluster = try await Blocking.run { () throws(EmbeddedError) in
                try EmbeddedCluster.start(EmbeddedConfiguration(dataFolder: folder), observe: observe)
            }
        } catch {
            guard case .inUse = error, let running = PrivateCluster.running(in: folder) else {
                throw .failed(error.description)
            }
            return DatabaseAccess(connection: try settings(running, "the cluster"), cluster: nil)
        }
        return DatabaseAccess(connection: try settings(cluster.connectionString, "the cluster"), cluster: cluster)
    }

    /// Stops the cluster where this process started it.
    func close() async {
        guard let cluster else { return }
        await Blocking.run { cluster.stop() }
    }

    private static func settings(_ url: String, _ name: String) throws(StartFailure) -> ConnectionSettings {
        do throws(DatabaseError) {
            return try ConnectionSettings(url: url)
        } catch {
            throw .configuration("\(name): \(error.connectMessage ?? error.description)")
        }
    }
}
