import Store
import Synchronization

/// How many attempts may be under way at once, so that neither one app's nor failing receivers' take all places.
///
/// Any thread may call it; the mutex owns the counts.
final class Places: Sendable {
    fileprivate struct State {
        var free: Int
        var freeForFailing: Int
        var taken = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(free: max(1, count), freeForFailing: max(1, count / 2)))
    }

    /// Takes at most half of what is free, so that there is something left for the next app; 0 where nothing is.
    func reserve(_ health: EndpointHealth) -> Int {
        state.withLock { state in
            let open = health == .failing ? min(state.free, state.freeForFailing) : state.free
            let count = (open + 1) / 2
            state.take(count, health)
            return count
        }
    }

    /// Gives places back.
    func release(_ count: Int, _ health: EndpointHealth) {
        let waiters = state.withLock { state in
            state.take(-count, health)
            guard state.taken == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns once no place is taken.
    func empty() async {
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                if state.taken > 0 { state.waiters.append(continuation) }
                return state.taken == 0
            }
            if isEmpty { continuation.resume() }
        }
    }

    var taken: Int { state.withLock(\.taken) }
}

extension Places.State {
    fileprivate mutating func take(_ count: Int, _ health: EndpointHealth) {
        free -= count
        taken += count
        if health == .failing { freeForFailing -= count }
    }
}
