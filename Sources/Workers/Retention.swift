import Consent
package import Store

/// Forgets what need not be kept: idempotency keys after 72 hours, in small batches that yield to everybody.
package struct Retention: Sendable {
    /// How long a keyed request is remembered: 72 hours, in seconds.
    package static let keptSeconds = 259_200

    private let store: Store
    private let kept: Int
    private let batch: Int
    private let observe: @Sendable (Result<Int, StoreFailure>) -> Void

    /// `observe` is told of each run how many batches it took away, or why it failed.
    package init(
        _ store: Store, keptSeconds: Int = Retention.keptSeconds, batch: Int = 500,
        observe: @escaping @Sendable (Result<Int, StoreFailure>) -> Void = { _ in }
    ) {
        self.store = store
        self.kept = keptSeconds
        self.batch = batch
        self.observe = observe
    }

    /// Forgets until its task is cancelled, looking once a minute.
    package func run() async {
        while !Task.isCancelled {
            do throws(StoreFailure) {
                observe(.success(try await runOnce()))
            } catch {
                // Whoever ends a worker takes back what it still waits for: that is no failure.
                if Task.isCancelled { return }
                observe(.failure(error))
            }
            _ = try? await Task.sleep(for: .seconds(60))
        }
    }

    /// Takes away batch after batch, each app in turn, until nothing is too old; returns how many batches it took.
    package func runOnce() async throws(StoreFailure) -> Int {
        var batches = 0
        while !Task.isCancelled {
            let (oldest, now) = try await store.oldestReplies()
            let limit = now.adding(seconds: -Int64(kept))
            let due = oldest.filter { $0.value < limit }.keys.sorted()
            if due.isEmpty { break }
            for app in due {
                let command = Command.forgetReplies(olderThanSeconds: kept, limit: batch)
                _ = try await store.submit(Submission(app: app, command: command))
                batches += 1
            }
        }
        return batches
    }
}
