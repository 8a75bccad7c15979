import Synchronization

/// Lets so many in at once, and the others in the order they came: whom one event wakes all at once then look a few at a time,
/// and leave other requests their place in front of the database. Any task may come; the mutex owns who waits.
final class Doorway: Sendable {
    private struct State {
        var free: Int
        /// Who waits; those before `next` are in already.
        var waiting: [CheckedContinuation<Void, Never>] = []
        var next = 0
    }

    private let state: Mutex<State>

    init(_ places: Int) { state = Mutex(State(free: places)) }

    /// How many wait for a place.
    var waiting: Int { state.withLock { $0.waiting.count - $0.next } }

    /// Waits for a place; every return is followed by one `leave`.
    func enter() async {
        await withCheckedContinuation { continuation in
            let isIn = state.withLock { state in
                if state.free > 0 {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isIn { continuation.resume() }
        }
    }

    /// Gives the place to whoever has waited longest.
    func leave() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard state.next < state.waiting.count else {
                state.free += 1
                return nil
            }
            defer {
                state.next += 1
                if state.next == state.waiting.count || state.next > 1_024 {
                    state.waiting.removeFirst(state.next)
                    state.next = 0
                }
            }
            return state.waiting[state.next]
        }
        next?.resume()
    }
}
