import Consent
import Store
import Synchronization

/// What the delivery worker was told since it last asked; any thread tells, the mutex owns it.
final class DeliveryInbox: Sendable {
    struct Contents: Sendable {
        /// Apps whose logs grew.
        var grown: Set<AppID> = []
        /// Apps in which more may be due now that a place is free.
        var freed: Set<AppID> = []
        /// Whether any log may have grown.
        var isLookWanted = false
    }

    private struct State {
        var contents = Contents()
        /// Apps that have endpoints: the others' logs are of no interest.
        var followed: Set<AppID> = []
        /// Apps that had more due than there were places.
        var hungry: Set<AppID> = []
    }

    private let state = Mutex(State())

    /// Returns whether that is of interest.
    func hear(_ news: FeedLine.News) -> Bool {
        state.withLock { state in
            switch news {
            case .grew(let app):
                guard state.followed.contains(app) else { return false }
                state.contents.grown.insert(app)
            case .unknown: state.contents.isLookWanted = true
            }
            return true
        }
    }

    /// A place is free; returns whether somebody waits for one.
    func placeFreed() -> Bool {
        state.withLock { state in
            state.contents.freed.formUnion(state.hungry)
            return !state.hungry.isEmpty
        }
    }

    func setHungry(_ app: AppID, _ isHungry: Bool) {
        state.withLock { state in
            if isHungry { state.hungry.insert(app) } else { state.hungry.remove(app) }
        }
    }

    func follow(_ apps: Set<AppID>) {
        state.withLock { $0.followed = apps }
    }

    func again(_ app: AppID) {
        state.withLock { _ = $0.contents.grown.insert(app) }
    }

    func take() -> Contents {
        state.withLock { state in
            defer { state.contents = Contents() }
            return state.contents
        }
    }
}
