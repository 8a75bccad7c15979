import Consent
import Postgres
import Store

extension Store {
    /// A store for one command of an operator: a connection of each kind.
    static func forOneCommand(_ connection: ConnectionSettings) -> Store {
        var settings = Store.Settings(connection)
        settings.writers = 1
        settings.readers = 1
        settings.patience = .seconds(15)
        return Store(settings)
    }

    /// Submits a command and gives its outcome; a refusal or failure as a sentence for a terminal.
    func carryOut(_ command: Command, for app: AppID) async throws(StartFailure) -> Outcome {
        let reply: Reply
        do throws(StoreFailure) {
            reply = try await submit(Submission(app: app, command: command))
        } catch {
            throw .failed(error.words)
        }
        switch reply {
        case .done(let outcome): return outcome
        case .refused(.unknownApp, _, _): throw .failed("there is no app '\(app.text)'")
        case .refused(.preconditionFailed, _, _): throw .failed("there is an app '\(app.text)' already")
        case .refused(let refusal, _, _): throw .failed("refused: \(refusal.code)")
        case .replayed: throw .failed("the command was carried out before")
        }
    }

    /// Reads, with a failure as a sentence for a terminal.
    func look<Value: Sendable>(
        _ query: @Sendable (Store) async throws(StoreFailure) -> Value
    ) async throws(StartFailure) -> Value {
        do throws(StoreFailure) {
            return try await query(self)
        } catch {
            throw .failed(error.words)
        }
    }
}
