import Consent
import HTTPServer
import Representation
package import Store
import Synchronization

/// Everybody who follows a log in this process: streams and requests that wait, and what wakes them.
///
/// Any thread may call it; the mutex owns who follows what. `run` beats, looks after revoked keys and looks at the logs by itself.
package final class EventFeed: Sendable {
    /// How much readers may take, and how often logs are looked at.
    package struct Settings: Sendable {
        /// Streams that one key may have open.
        package var streamsPerKey = 1_000
        /// Streams that one person's or guardian's tokens may have open together.
        package var streamsPerSubject = 16
        /// Bytes that may wait for a reader; past it the stream is cut, and its reader comes again with its last id.
        package var streamBuffer = 1_048_576
        /// A stream that shows nothing for so long sends a comment.
        package var heartbeat = Duration.seconds(15)
        /// How often the logs are looked at while other instances are not heard.
        package var polling = Duration.milliseconds(500)
        /// Whether other instances are heard at present; while they are, the logs are looked at every two seconds.
        package var isListening: @Sendable () -> Bool = { false }

        package init() {}
    }

    /// What it tells of itself.
    package struct Statistics: Sendable {
        package let streams: Int
        package let waiting: Int
        /// Since the start.
        package let sent: Int
        package let resets: Int
        package let cut: Int
    }

    private struct Follower {
        let feed: AppFeed
        var count = 0
    }

    private struct State {
        var apps: [AppID: Follower] = [:]
        var streamsByKey: [Identifier: Int] = [:]
        var streams = 0
        var waiting = 0
        var serial = 0
        var isStopped = false
    }

    /// While other instances are heard.
    private static let net = Duration.seconds(2)
    private static let tick = Duration.milliseconds(500)
    /// With the age of what authentication holds in memory, a revocation ends streams within five seconds.
    private static let keyRound = Duration.milliseconds(1_500)

    let settings: Settings
    let tally = FeedTally()
    /// As many as keep the reading threads busy.
    let doorway = Doorway(256)
    private let store: any StoreReading
    private let authenticator: Authenticator
    private let state = Mutex(State())

    init(_ settings: Settings, store: any StoreReading, authenticator: Authenticator) {
        self.settings = settings
        self.store = store
        self.authenticator = authenticator
    }

    package var statistics: Statistics {
        let (streams, waiting) = state.withLock { ($0.streams, $0.waiting) }
        return Statistics(
            streams: streams, waiting: waiting, sent: tally.sent, resets: tally.resets, cut: tally.slow)
    }

    /// What the store or other instances tell; any thread.
    package func hear(_ news: FeedLine.News) {
        switch news {
        case .grew(let app): state.withLock { $0.apps[app]?.feed }?.grew()
        case .unknown: for feed in feeds { feed.grew() }
        }
    }

    /// Ends every stream after what was written to it, and every wait; from now on none begins.
    package func stop() {
        state.withLock { $0.isStopped = true }
        for feed in feeds {
            for stream in feed.streams { stream.body.finish() }
            feed.fireAll()
        }
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }
    private var feeds: [AppFeed] { state.withLock { $0.apps.values.map(\.feed) } }

    /// Keeps streams alive and logs looked at until its task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.beat() }
            group.addTask { await self.lookAround() }
        }
    }

    /// Shows that streams live, and ends those whose time is over; waits for nothing, so it is done on time also while the
    /// database hangs.
    private func beat() async {
        let beat = max(1, settings.heartbeat.components.seconds)
        while (try? await Task.sleep(for: Self.tick)) != nil {
            let now = ContinuousClock.now
            let seconds = MonotonicSeconds.now
            for feed in feeds {
                for stream in feed.streams {
                    if stream.hasEnded(at: now) { stream.body.finish() } else { stream.beat(after: beat, now: seconds) }
                }
            }
        }
    }

    /// Asks the database about keys and logs, as often as each is due.
    private func lookAround() async {
        var looked = ContinuousClock.now
        var checked = looked
        while (try? await Task.sleep(for: Self.tick)) != nil {
            let now = ContinuousClock.now
            let feeds = feeds
            if now - checked >= Self.keyRound {
                checked = now
                await endRevoked(feeds)
            }
            if now - looked >= (settings.isListening() ? Self.net : settings.polling) {
                looked = now
                await look(feeds)
            }
        }
    }

    /// Wakes the feeds whose log stands elsewhere than they do.
    private func look(_ feeds: [AppFeed]) async {
        guard !feeds.isEmpty, let heads = try? await store.heads(feeds.map(\.app)) else { return }
        for feed in feeds {
            guard let head = heads[feed.app], let position = feed.position else { continue }
            if position != EventPosition(feed: head.feed, seq: head.seq) { feed.grew() }
        }
    }

    private func endRevoked(_ feeds: [AppFeed]) async {
        var byKey: [Identifier: (streams: [FeedStream], waiters: [Waiter])] = [:]
        for feed in feeds {
            for stream in feed.streams { byKey[stream.key, default: ([], [])].streams.append(stream) }
            for waiter in feed.waiters { byKey[waiter.key, default: ([], [])].waiters.append(waiter) }
        }
        for (key, held) in byKey where await !authenticator.isInForce(key) {
            for stream in held.streams { stream.body.finish() }
            // Whoever waits looks whether they still may.
            for waiter in held.waiters { waiter.fire() }
        }
    }

    func isInForce(_ key: Identifier) async -> Bool { await authenticator.isInForce(key) }

    /// How far the log of the app has come; a stream of a guardian's learns whom they are linked to there.
    func head(_ app: AppID, for filter: FeedFilter) async throws(StoreFailure) -> FeedHead? {
        guard let view = filter.guardian else { return try await store.heads([app])[app] }
        guard let standing = try await store.standing(app, guardian: view.guardian) else { return nil }
        view.start(standing)
        return standing.head
    }

    func events(
        _ app: AppID, _ filter: EventFilter, _ types: [EventType]?, after seq: Int64
    ) async throws(StoreFailure) -> EventPage? {
        try await store.events(app, filter, types: types, after: seq, limit: 100)
    }

    // MARK: Following

    /// The app's feed, held until `leave`, and a number for whoever follows it.
    func enter(_ app: AppID, waits: Bool) -> (AppFeed, number: Int) {
        state.withLock { state in
            let feed = state.apps[app]?.feed ?? AppFeed(app, store, tally)
            state.apps[app, default: Follower(feed: feed)].count += 1
            if waits { state.waiting += 1 }
            state.serial += 1
            return (feed, state.serial)
        }
    }

    func leave(_ app: AppID, waits: Bool) {
        state.withLock { state in
            if waits { state.waiting -= 1 }
            state.apps[app]?.count -= 1
            if state.apps[app]?.count == 0 { state.apps[app] = nil }
        }
    }

    /// Takes one of the places for streams that a key has, or somebody's tokens; false when all are taken.
    func admit(_ holder: Identifier, most: Int) -> Bool {
        state.withLock { state in
            guard state.streamsByKey[holder, default: 0] < most else { return false }
            state.streamsByKey[holder, default: 0] += 1
            state.streams += 1
            return true
        }
    }

    func dismiss(_ key: Identifier) {
        state.withLock { state in
            state.streams -= 1
            let left = (state.streamsByKey[key] ?? 1) - 1
            state.streamsByKey[key] = left > 0 ? left : nil
        }
    }
}
