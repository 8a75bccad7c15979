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
        /// Apps that found no place.
        var starved: Set<AppID> = []
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

    /// There was no place for an app, whatever it has due.
    func starved(_ app: AppID) {
        state.withLock { _ = $0.starved.insert(app) }
    }

    /// One attempt in an app is over, and its place is free: more may be due of the same endpoint, or for want of places.
    func ended(_ app: AppID) {
        state.withLock { state in
            state.contents.freed.insert(app)
            if let starved = state.starved.popFirst() { state.contents.freed.insert(starved) }
        }
    }

    /// From now on the logs of these apps are of interest.
    func follow(_ apps: Set<AppID>) {
        state.withLock { $0.followed = apps }
    }

    /// An app's log is to be seen to again.
    func again(_ app: AppID) {
        state.withLock { _ = $0.contents.grown.insert(app) }
    }

    /// What was told since; it is not told again.
    func take() -> Contents {
        state.withLock { state in
            defer { state.contents = Contents() }
            return state.contents
        }
    }
}
