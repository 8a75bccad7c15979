package import Consent
import Synchronization

/// A sleep that can be cut short: by a ring, by an earlier moment to wake at, or by cancellation.
///
/// Any thread may ring; one task sleeps. The mutex owns the state.
package final class Alarm: Sendable {
    private enum State {
        /// Nobody sleeps. `rung`: the earliest moment that was rung for meanwhile; nil for none.
        case awake(rung: Instant?)
        /// Until a moment on the database's clock; nil for one that any moment comes before.
        case asleep(Task<Void, Never>, until: Instant?)
    }

    private let state = Mutex(State.awake(rung: nil))

    package init() {}

    /// Sleeps for a while, or until rung; not at all when rung for an earlier moment since the last sleep.
    ///
    /// - Parameter moment: when that is on the database's clock, for `ring(at:)` to compare with.
    func sleep(for duration: Duration, until moment: Instant?) async {
        let sleeper = Task { _ = try? await Task.sleep(for: duration) }
        let isRung = state.withLock { state in
            guard case .awake(let rung?) = state, moment.map({ rung < $0 }) ?? true else {
                state = .asleep(sleeper, until: moment)
                return false
            }
            state = .awake(rung: nil)
            return true
        }
        if isRung { return sleeper.cancel() }
        await withTaskCancellationHandler {
            await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
        state.withLock { $0 = .awake(rung: nil) }
    }

    /// Ends the sleep, or the next one before it begins.
    package func ring() {
        ring(at: Instant(microseconds: .min))
    }

    /// Rings if the sleeper means to sleep past the moment.
    package func ring(at moment: Instant) {
        state.withLock { state in
            switch state {
            case .awake(let rung): state = .awake(rung: min(rung ?? moment, moment))
            case .asleep(let sleeper, let until):
                if until.map({ moment < $0 }) ?? true { sleeper.cancel() }
            }
        }
    }
}
