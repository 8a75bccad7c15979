import Consent
import Synchronization

/// A request that waits for something to change. Any thread fires; one task waits; the mutex owns the state.
final class Waiter: Sendable {
    /// What it waits for.
    enum Interest: Sendable {
        case question(Identifier)
        /// Whatever a decision about this person's access rests on.
        case access(personRef: Identifier)
        case log(FeedFilter)
    }

    private struct State {
        var isFired = false
        var continuation: CheckedContinuation<Void, Never>?
    }

    let number: Int
    /// The key of whoever waits, or that made their token.
    let key: Identifier
    let interest: Interest
    private let state = Mutex(State())

    init(_ number: Int, key: Identifier, _ interest: Interest) {
        self.number = number
        self.key = key
        self.interest = interest
    }

    /// Ends the wait, or the next one before it begins.
    func fire() {
        let continuation = state.withLock { state in
            state.isFired = state.continuation == nil
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume()
    }

    /// Waits until fired, for at most a while; not at all if it was fired since the last wait. Cancelling the task ends it.
    func wait(for duration: Duration) async {
        let timer = Task {
            do { try await Task.sleep(for: duration) } catch { return }
            self.fire()
        }
        defer { timer.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFired = state.withLock { state in
                    if !state.isFired { state.continuation = continuation }
                    defer { state.isFired = false }
                    return state.isFired
                }
                if isFired { continuation.resume() }
            }
        } onCancel: {
            fire()
        }
    }
}
