import Consent
import Store

/// One command for each of some questions, all submitted at once, so that they share transactions.
enum Round {
    struct Result: Sendable {
        /// Commands that did something.
        var done = 0
        /// Why one of those that failed did.
        var failure: StoreFailure?
    }

    /// Submits a command for each question; `isDone` tells from its outcome whether it did something.
    static func run(
        _ ids: [Identifier], of app: AppID, on store: Store, _ command: @escaping @Sendable (Identifier) -> Command,
        isDone: @escaping @Sendable (Outcome) -> Bool
    ) async -> Result {
        await withTaskGroup(of: Swift.Result<Bool, StoreFailure>.self) { group in
            for id in ids {
                group.addTask {
                    do throws(StoreFailure) {
                        let reply = try await store.submit(Submission(app: app, command: command(id)))
                        if case .done(let outcome) = reply { return .success(isDone(outcome)) }
                        return .success(false)
                    } catch {
                        return .failure(error)
                    }
                }
            }
            var result = Result()
            for await one in group {
                switch one {
                case .success(let isDone): result.done += isDone ? 1 : 0
                case .failure(let failure): result.failure = failure
                }
            }
            return result
        }
    }
}
