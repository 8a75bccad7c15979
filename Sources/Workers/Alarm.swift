package import Consent
import Synchronization

/// A sleep that can be cut short: by a ring, by an earlier moment to wake at, or by cancellation.
///
/// Any thread may ring; one task sleeps. The mutex owns the state.
package final class Alarm: Sendable {
    private struct State {
        var sleeper: Task<Void, Never>?
        /// Rung while nobody slept: the next sleep ends at once.
        var isRung = false
        /// Until when the sleeper means to sleep, on the database's clock.
        var wakesAt: Instant?
    }

    private let state = Mutex(State())

    package init() {}

    /// Sleeps for a while, or until rung.
    ///
    /// - Parameter moment: when that is on the database's clock, for `ring(at:)` to compare with.
    func sleep(for duration: Duration, until moment: Instant?) async {
        let sleeper = Task { _ = try? await Task.sleep(for: duration) }
        let rung = state.withLock { state in
            defer { state.isRung = false }
            state.sleeper = sleeper
            state.wakesAt = moment
            return state.isRung
        }
        if rung { sleeper.cancel() }
        await withTaskCancellationHandler {
            await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
        state.withLock { $0.sleeper = nil }
    }

    package func ring() {
        let sleeper = state.withLock { state -> Task<Void, Never>? in
            if state.sleeper == nil { state.isRung = true }
            return state.sleeper
        }
        sleeper?.cancel()
    }

    /// Rings if the sleeper means to sleep past the moment.
    package func ring(at moment: Instant) {
        let isEarlier = state.withLock { $0.wakesAt.map { moment < $0 } ?? true }
        if isEarlier { ring() }
    }
}
