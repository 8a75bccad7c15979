/// Waits until a starting cluster takes connections, and makes the database when there is none.
struct ClusterReadiness {
    /// Recovery after a crash may take a while; it ends sooner when the server does.
    private static var patience: Duration { .seconds(120) }

    private static var exists: Statement {
        Statement(
            "database_exists", "select exists (select from pg_database where datname = $1)", parameterTypes: [.text])
    }

    private let supervisor: ClusterSupervisor
    private let log: ClusterLog

    init(_ supervisor: ClusterSupervisor, _ log: ClusterLog) {
        self.supervisor = supervisor
        self.log = log
    }

    func wait(_ server: String, database: String) throws(EmbeddedError) {
        let limit = MonotonicTime.now + Self.patience
        let pause = Interrupt()
        var last: DatabaseError?
        while MonotonicTime.now < limit {
            // One end may be the stale shared memory of a predecessor; two are no accident.
            guard supervisor.endCount < 2 else { throw .ended(log.tail) }
            do throws(DatabaseError) {
                let connection = try Connection(ConnectionSettings(url: "\(server) dbname=postgres"))
                defer { connection.close() }
                try create(database, on: connection)
                return
            } catch {
                guard error.isRetryable else { throw .database(error) }
                last = error
            }
            pause.sleep(for: .milliseconds(25))
        }
        throw .slow(last)
    }

    private func create(_ database: String, on connection: Connection) throws(DatabaseError) {
        var parameters = Parameters()
        parameters.append(text: database)
        guard try !connection.run(Self.exists, parameters)[0].bool(0) else { return }
        try connection.execute("create database \(database)", within: .seconds(60))
    }
}
