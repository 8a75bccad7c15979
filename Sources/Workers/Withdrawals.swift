package import Consent
package import Store

/// Cancels the questions that wait about changes which were withdrawn, in small batches that yield to everybody.
///
/// Nobody can answer them meanwhile: that is refused from the withdrawal's commit on, and none is asked any more. So one
/// walk over the app's pending questions finds them all, wherever and however often it has to begin anew.
package struct Withdrawals: Sendable {
    private let store: Store
    private let alarm: Alarm
    private let holder: Identifier
    private let observe: @Sendable (Result<Int, StoreFailure>) -> Void
    /// Pending questions looked at in one step.
    private let step: Int

    /// `holder` names this instance, as for the sweeper, whose lease on an app it shares; `alarm` is rung for a change
    /// withdrawn here; `observe` is told of each run how many questions it cancelled, or why it failed.
    package init(
        _ store: Store, alarm: Alarm, holder: Identifier, step: Int = 1_024,
        observe: @escaping @Sendable (Result<Int, StoreFailure>) -> Void = { _ in }
    ) {
        self.store = store
        self.alarm = alarm
        self.holder = holder
        self.step = step
        self.observe = observe
    }

    /// Works until its task is cancelled; looks when rung, and every few seconds for what other instances left.
    package func run() async {
        while !Task.isCancelled {
            do throws(StoreFailure) {
                observe(.success(try await runOnce()))
                await alarm.sleep(for: .seconds(5), until: nil)
            } catch {
                // Whoever ends a worker takes back what it still waits for: that is no failure.
                if Task.isCancelled { return }
                observe(.failure(error))
                await alarm.sleep(for: .milliseconds(500), until: nil)
            }
        }
    }

    /// Cancels what waits about each withdrawn change that is this instance's to see to; returns how many there were. What
    /// fails about one change is thrown once all others were seen to.
    package func runOnce() async throws(StoreFailure) -> Int {
        var cancelled = 0
        var failure: StoreFailure?
        for withdrawal in try await store.openWithdrawals() where !Task.isCancelled {
            do throws(StoreFailure) { cancelled += try await cancelAll(of: withdrawal) } catch { failure = error }
        }
        if let failure { throw failure }
        return cancelled
    }

    private func cancelAll(of withdrawal: OpenWithdrawal) async throws(StoreFailure) -> Int {
        var cancelled = 0
        var position: QuestionPosition?
        repeat {
            guard try await store.claimSweep(withdrawal.app, holder: holder), !Task.isCancelled else {
                return cancelled
            }
            let found = try await store.pendingQuestions(
                withdrawal.app, about: withdrawal.change, after: position, looking: step)
            cancelled += try await cancel(found.ids, withdrawal.app)
            position = found.next
        } while position != nil
        let closing = Command.closeWithdrawal(withdrawal.change)
        _ = try await store.submit(Submission(app: withdrawal.app, command: closing))
        return cancelled
    }

    /// Cancels each; a failure is thrown once all were tried, and the next run begins anew.
    private func cancel(_ ids: [Identifier], _ app: AppID) async throws(StoreFailure) -> Int {
        let round = await Round.run(ids, of: app, on: store, { .cancelWithdrawn(question: $0) }) { outcome in
            guard case .question(let record) = outcome else { return false }
            return record.question.state == .cancelled
        }
        if let failure = round.failure { throw failure }
        return round.done
    }
}
