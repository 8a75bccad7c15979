package import Consent
package import Store

/// Tells of questions that will soon expire, each once, by the same transactions and the same rules as everybody else.
///
/// A question comes to its reminder as time passes: so an app's questions are walked in the order of their expirations,
/// from where the walk before ended. What one instance has told of another does not tell again: the row says so.
package struct Reminder: Sendable {
    private let store: Store
    private let holder: Identifier
    private let observe: @Sendable (Result<Int, StoreFailure>) -> Void
    /// Questions taken at once.
    private let round: Int

    /// How far an app's walk came, and by which policy.
    private struct Mark {
        let seconds: Int
        let expiration: Instant
    }

    /// What is walked again each time, in seconds: a question is seen only after its commit, a little later than the moment
    /// it was created at.
    private static let overlap: Int64 = 60
    /// How often all is walked from the front: questions that became pending again lie behind the marks.
    private static let renewal = Duration.seconds(600)

    /// `holder` names this instance, as it does to the sweeper; `observe` is told of each run how many questions it told
    /// of, or why it failed.
    package init(
        _ store: Store, holder: Identifier, round: Int = 512,
        observe: @escaping @Sendable (Result<Int, StoreFailure>) -> Void = { _ in }
    ) {
        self.store = store
        self.holder = holder
        self.round = round
        self.observe = observe
    }

    /// Reminds until its task is cancelled, looking every two seconds.
    package func run() async {
        var marks: [AppID: Mark] = [:]
        var renewed = ContinuousClock.now
        while !Task.isCancelled {
            if ContinuousClock.now - renewed > Self.renewal {
                marks = [:]
                renewed = ContinuousClock.now
            }
            do throws(StoreFailure) {
                observe(.success(try await walk(&marks)))
            } catch {
                // Whoever ends a worker takes back what it still waits for: that is no failure.
                if Task.isCancelled { return }
                observe(.failure(error))
            }
            _ = try? await Task.sleep(for: .seconds(2))
        }
    }

    /// Tells of everything that is due in all apps; returns of how many questions.
    package func runOnce() async throws(StoreFailure) -> Int {
        var marks: [AppID: Mark] = [:]
        return try await walk(&marks)
    }

    /// What fails in one app is thrown once all others were seen to.
    private func walk(_ marks: inout [AppID: Mark]) async throws(StoreFailure) -> Int {
        var reminded = 0
        var failure: StoreFailure?
        var last: AppID?
        while !Task.isCancelled {
            let page = try await store.apps(after: last, limit: 100)
            for app in page.rows where app.settings.policy.reminderSeconds > 0 {
                do throws(StoreFailure) { reminded += try await walk(app, &marks[app.id]) } catch { failure = error }
            }
            guard page.more, let next = page.rows.last else { break }
            last = next.id
        }
        if let failure { throw failure }
        return reminded
    }

    private func walk(_ app: App, _ mark: inout Mark?) async throws(StoreFailure) -> Int {
        let seconds = app.settings.policy.reminderSeconds
        var reminded = 0
        var after: QuestionPosition?
        if let mark, mark.seconds == seconds {
            after = QuestionPosition(expiration: mark.expiration, id: Identifier(high: 0, low: 0))
        }
        while !Task.isCancelled {
            let (due, now) = try await store.dueReminders(app.id, seconds: seconds, after: after, limit: round)
            if !due.isEmpty {
                // Whoever has the app in hand tells of them.
                guard try await store.claimSweep(app.id, holder: holder) else { return reminded }
                let result = await Round.run(due.map(\.id), of: app.id, on: store) {
                    .remind(question: $0)
                } isDone: {
                    if case .reminded(true) = $0 { true } else { false }
                }
                reminded += result.done
                if let failure = result.failure { throw failure }
            }
            if due.count < round {
                mark = Mark(seconds: seconds, expiration: now.adding(seconds: Int64(seconds) - Self.overlap))
                break
            }
            after = due.last
        }
        return reminded
    }
}
