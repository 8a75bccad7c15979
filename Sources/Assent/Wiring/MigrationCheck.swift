import Postgres

/// Brings the schema up to date or refuses to work on one that does not fit.
struct MigrationCheck: Sendable {
    let connection: ConnectionSettings
    let resources: Resources

    /// How the schema stands to this program.
    func status() async throws(MigrationError) -> MigrationStatus {
        let migrator = try migrator()
        return try await Blocking.run { () throws(MigrationError) in try migrator.status() }
    }

    /// What keeps anybody from working on the schema as it is; nil where nothing does.
    func objection() async throws(StartFailure) -> String? {
        do throws(MigrationError) {
            return Self.objection(to: try await status())
        } catch {
            throw .failed(error.description)
        }
    }

    /// Applies what is pending; the numbers applied.
    func migrate() async throws(MigrationError) -> [Int32] {
        let migrator = try migrator()
        return try await Blocking.run { () throws(MigrationError) in try migrator.migrate() }
    }

    private func migrator() throws(MigrationError) -> Migrator {
        try Migrator(connection, try Migration.read(folder: resources.migrations))
    }

    /// What keeps the server from working on a schema in this state; nil where nothing does.
    static func objection(to status: MigrationStatus) -> String? {
        if let problem = status.problem { return problem.description }
        guard !status.pending.isEmpty else { return nil }
        let numbers = status.pending.map { "\($0.number) \($0.name)" }.joined(separator: ", ")
        return "the database is older than this program: \(numbers) pending; "
            + "run 'assent migrate' first, or serve with --migrate-on-start"
    }
}
