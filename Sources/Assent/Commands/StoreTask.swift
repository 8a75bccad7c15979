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
        await DatabaseTask(invocation, surroundings).run { access, resources throws(StartFailure) in
            let check = MigrationCheck(connection: access.connection, resources: resources)
            if let objection = try await check.objection() { throw .failed(objection) }
            let store = Store.forOneCommand(access.connection)
            let result: Result<ExitCode, StartFailure>
            do throws(StartFailure) {
                result = .success(try await work(store, KeyDesk(store: store, connection: access.connection)))
            } catch {
                result = .failure(error)
            }
            await store.stop(within: .seconds(5))
            return try result.get()
        }
    }
}
