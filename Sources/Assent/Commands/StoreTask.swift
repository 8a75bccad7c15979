import Store

/// A `DatabaseTask` that needs the store: refuses a schema that does not fit, opens the store and closes it again.
struct StoreTask: Sendable {
    let invocation: Invocation
    let surroundings: Surroundings

    init(_ invocation: Invocation, _ surroundings: Surroundings) {
        self.invocation = invocation
        self.surroundings = surroundings
    }

    func run(_ work: @Sendable (Store, KeyDesk) async throws(StartFailure) -> ExitCode) async -> ExitCode {
        await run { store, desk, _ throws(StartFailure) in try await work(store, desk) }
    }

    /// The same for work that needs further settings.
    func run(
        _ work: @Sendable (Store, KeyDesk, Configuration) async throws(StartFailure) -> ExitCode
    ) async -> ExitCode {
        let reading = ConfigurationReader(settings: invocation.command.settings, environment: surroundings.environment)
            .read(flags: invocation.flags)
        return await DatabaseTask(invocation, surroundings).run { access, resources throws(StartFailure) in
            let check = MigrationCheck(connection: access.connection, resources: resources)
            if let objection = try await check.objection() { throw .failed(objection) }
            let store = Store.forOneCommand(access.connection)
            let result: Result<ExitCode, StartFailure>
            do throws(StartFailure) {
                result = .success(
                    try await work(
                        store, KeyDesk(store: store, connection: access.connection), reading.configuration))
            } catch {
                result = .failure(error)
            }
            await store.stop(within: .seconds(5))
            return try result.get()
        }
    }
}
