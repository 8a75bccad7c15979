import Postgres

extension Subcommand {
    static let migrate = Subcommand(
        "migrate", summary: "Bring the database's schema up to date.",
        details: """
            Applies the numbered migrations that are pending, each in a transaction of its own; of several that run at
            once one works and the others wait. Refuses a database that a newer release migrated, or whose applied
            migrations were edited.
            """,
        options: [Option("check", nil, "change nothing; exit 1 when something is pending or wrong")],
        settings: Setting.databaseTable,
        run: { invocation, surroundings in
            await DatabaseTask(invocation, surroundings).run { access, resources throws(StartFailure) in
                let check = MigrationCheck(connection: access.connection, resources: resources)
                do throws(MigrationError) {
                    if invocation.has("check") {
                        if let objection = MigrationCheck.objection(to: try await check.status()) {
                            surroundings.console.complain("assent: \(objection)")
                            return .failure
                        }
                        surroundings.console.say("The schema is up to date.")
                        return .success
                    }
                    let applied = try await check.migrate()
                    surroundings.console.say(
                        applied.isEmpty
                            ? "The schema is up to date."
                            : "Applied \(applied.map { "\($0)" }.joined(separator: ", ")).")
                    return .success
                } catch {
                    throw .failed(error.description)
                }
            }
        })
}
