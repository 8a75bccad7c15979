/// What every command that needs the database does around its own work: reads settings, opens, closes, complains.
struct DatabaseTask: Sendable {
    let invocation: Invocation
    let surroundings: Surroundings

    init(_ invocation: Invocation, _ surroundings: Surroundings) {
        self.invocation = invocation
        self.surroundings = surroundings
    }

    /// Runs the work with the database open; exit 2 where the configuration is at fault, 1 where the work failed.
    func run(
        _ work: @Sendable (DatabaseAccess, Resources) async throws(StartFailure) -> ExitCode
    ) async -> ExitCode {
        let reading = ConfigurationReader(settings: invocation.command.settings, environment: surroundings.environment)
            .read(flags: invocation.flags)
        do throws(StartFailure) {
            if !reading.faults.isEmpty {
                throw .configuration(reading.faults.map(\.sentence).joined(separator: "\nassent: "))
            }
            let resources = try Resources.find(reading.configuration.resources)
            let access = try await DatabaseAccess.open(reading.configuration)
            let result: Result<ExitCode, StartFailure>
            do throws(StartFailure) {
                result = .success(try await work(access, resources))
            } catch {
                result = .failure(error)
            }
            await access.close()
            return try result.get()
        } catch {
            surroundings.console.complain("assent: \(error.sentence)")
            return error.exitCode
        }
    }
}
