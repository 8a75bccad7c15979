import Postgres

extension Service {
    /// What one look at the schema came to.
    private enum Look {
        case fits
        /// A sentence for the operator; trying again would find the same.
        case objection(String)
        /// The database cannot be reached now.
        case unreachable(MigrationError)
    }

    /// How long a start waits for a database that cannot be reached.
    private static let patience = Duration.seconds(60)

    /// Applies what is pending where the settings say so; refuses a schema that does not fit.
    func checkSchema(
        _ access: DatabaseAccess, _ resources: Resources, while isWanted: @Sendable () -> Bool
    ) async throws(StartFailure) {
        let check = MigrationCheck(connection: access.connection, resources: resources)
        let start = ContinuousClock.now
        while true {
            switch await look(check) {
            case .fits: return
            case .objection(let sentence): throw .failed(sentence)
            case .unreachable(let error):
                guard isWanted() else { throw .failed("stopped while waiting for the database") }
                if ContinuousClock.now - start > Self.patience { throw .failed(error.description) }
                observer.record(.waitingForDatabase(error))
                _ = try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func look(_ check: MigrationCheck) async -> Look {
        do throws(MigrationError) {
            guard configuration.embedded || configuration.migrateOnStart else {
                return MigrationCheck.objection(to: try await check.status()).map(Look.objection) ?? .fits
            }
            let applied = try await check.migrate()
            if !applied.isEmpty { observer.record(.migrated(applied)) }
            return .fits
        } catch {
            if case .database(let cause) = error, cause.isRetryable { return .unreachable(error) }
            return .objection(error.description)
        }
    }
}
