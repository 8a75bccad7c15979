import Glibc

/// A private PostgreSQL cluster that this process starts, watches and stops.
///
/// Reached through a Unix socket only. Its data stays over restarts of either; a server that dies is started again; a
/// server left behind by a killed predecessor is found and stopped first. Any thread may call it.
package final class EmbeddedCluster: Sendable {
    /// What the cluster reports to logs as it happens.
    package enum Observation: Sendable {
        /// A server process runs.
        case started(process: Int32)
        /// It ended by itself, with this exit status (128 and more: by a signal); another is started.
        case ended(status: Int32)
        /// No further server can be started for now: the folder is not quiet, or the system refuses.
        case cannotStart
    }

    /// The role that owns everything, and the database.
    static var name: String { "assent" }

    /// How to reach it; libpq's `keyword=value` form.
    package let connectionString: String
    /// Where the server writes its log.
    package let logPath: String
    private let supervisor: ClusterSupervisor
    private let sockets: SocketFolder
    private let disposable: String?

    private init(
        _ connectionString: String, _ logPath: String, _ supervisor: ClusterSupervisor, _ sockets: SocketFolder,
        disposable: String?
    ) {
        self.connectionString = connectionString
        self.logPath = logPath
        self.supervisor = supervisor
        self.sockets = sockets
        self.disposable = disposable
    }

    /// Starts a cluster, making it first when the folder holds none; returns once it takes connections. Blocks.
    package static func start(
        _ configuration: EmbeddedConfiguration, observe: @escaping @Sendable (Observation) -> Void = { _ in }
    ) throws(EmbeddedError) -> EmbeddedCluster {
        let user = try ClusterUser.current()
        let folder = try ClusterFolder(configuration.dataFolder, user)
        let lock = try FolderLock(beside: folder.path)
        guard ClusterProcesses(folder: folder.path).settle(Interrupt()) else {
            throw .folder(folder.path, "processes of an earlier server do not end")
        }
        let binaries = try Executable.postgresFolder(configuration.binaries, major: folder.version)
        try folder.initialize(binaries, name, isDurable: configuration.isDurable)
        let sockets = try SocketFolder(for: folder.path, user)
        let log = try ClusterLog(folder.logPath)
        let supervisor = ClusterSupervisor(
            try user.wrapped(configuration.command(binaries, folder.path, sockets.path)),
            ClusterProcesses(folder: folder.path, sockets: sockets.path), lock, log, observe)
        let server = "host=\(sockets.path) port=5432 user=\(name) requirepeer=\(user.name)"
        do throws(EmbeddedError) {
            try supervisor.start()
            try ClusterReadiness(supervisor, log).wait(server, database: name)
        } catch {
            supervisor.stop()
            sockets.remove()
            throw error
        }
        return EmbeddedCluster(
            "\(server) dbname=\(name)", folder.logPath, supervisor, sockets,
            disposable: configuration.isDisposable ? configuration.root : nil)
    }

    /// The server's process id; nil while there is none.
    package var processIdentifier: Int32? { supervisor.processIdentifier }

    /// Stops the server: what is in flight is rolled back, what is committed is on disk. Blocks; again does nothing.
    package func stop() {
        supervisor.stop()
        sockets.remove()
        if let disposable { ClusterFolder.remove(disposable) }
    }
}
