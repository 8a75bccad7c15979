import Consent
import HTTPServer
import Representation
import Store
import Synchronization

/// The log of one app as it grows, read once for all who follow it in this process.
///
/// The mutex owns the state. A pump, of which there is one at a time, reads what is new and hands it out, in order and without
/// gaps, and seats who joins; so nobody else writes events to a stream that has joined.
final class AppFeed: Sendable {
    /// What became of a wish to join.
    enum Joining: Sendable {
        case joined
        /// The stream has to read on by itself first.
        case behind
        /// The log was renewed.
        case renewed
    }

    fileprivate struct Candidate {
        let stream: FeedStream
        let position: EventPosition
        let answer: CheckedContinuation<Joining, Never>
    }

    struct State {
        /// The feed and the number of the last event handed out; nil until somebody has asked the database.
        fileprivate(set) var position: EventPosition?
        fileprivate var isPumping = false
        fileprivate var hasGrown = false
        fileprivate var candidates: [Candidate] = []
        fileprivate var streams: [Int: FeedStream] = [:]
        fileprivate var waiters = WaiterIndex()
        /// The last events handed out, for those who join a little behind.
        fileprivate var recent: [FeedItem] = []
        fileprivate var recentBytes = 0
    }

    /// Bytes of recent events that are kept.
    private static let recentLimit = 128 * 1024
    private static let pageSize = 100

    let app: AppID
    private let store: any StoreReading
    private let tally: FeedTally
    private let state = Mutex(State())

    init(_ app: AppID, _ store: any StoreReading, _ tally: FeedTally) {
        self.app = app
        self.store = store
        self.tally = tally
    }

    /// Where this app's log stands in this process.
    var position: EventPosition? { state.withLock { $0.position } }
    var streams: [FeedStream] { state.withLock { Array($0.streams.values) } }
    var waiters: [Waiter] { state.withLock { $0.waiters.all } }

    /// Makes sure that everything committed from now on is handed out; false when there is no such app.
    func start() async throws(StoreFailure) -> Bool {
        if position != nil {
            pumpIfNeeded()
            return true
        }
        guard let head = try await store.heads([app])[app] else { return false }
        state.withLock { state in
            if state.position == nil { state.position = EventPosition(feed: head.feed, seq: head.seq) }
        }
        pumpIfNeeded()
        return true
    }

    /// The log has grown, or may have.
    func grew() {
        state.withLock { $0.hasGrown = true }
        pumpIfNeeded()
    }

    func add(_ waiter: Waiter) { state.withLock { $0.waiters.add(waiter) } }
    func remove(_ waiter: Waiter) { state.withLock { $0.waiters.remove(waiter) } }
    func remove(stream number: Int) { state.withLock { _ = $0.streams.removeValue(forKey: number) } }

    /// From `position` on the stream is served by the pump, if that is near enough.
    func join(_ stream: FeedStream, at position: EventPosition) async -> Joining {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.candidates.append(Candidate(stream: stream, position: position, answer: continuation))
            }
            pumpIfNeeded()
        }
    }

    /// Everybody who waits looks again.
    func fireAll() {
        let waiters = state.withLock { $0.waiters.all }
        for waiter in waiters { waiter.fire() }
    }

    // MARK: The pump

    private func pumpIfNeeded() {
        let starts = state.withLock { state in
            guard !state.isPumping, state.position != nil, state.hasGrown || !state.candidates.isEmpty else {
                return false
            }
            state.isPumping = true
            return true
        }
        if starts { Task { await pump() } }
    }

    private func pump() async {
        var failures = 0
        while true {
            let work: (candidates: [Candidate], hasGrown: Bool)? = state.withLock { state in
                if state.candidates.isEmpty, !state.hasGrown {
                    state.isPumping = false
                    return nil
                }
                defer {
                    state.candidates = []
                    state.hasGrown = false
                }
                return (state.candidates, state.hasGrown)
            }
            guard let work else { return }
            for candidate in work.candidates { candidate.answer.resume(returning: seat(candidate)) }
            guard work.hasGrown else { continue }
            do throws(StoreFailure) {
                try await advance()
                failures = 0
            } catch {
                // Tried again, less and less often, as long as somebody follows; nobody's place is lost meanwhile.
                let isFollowed = state.withLock { state in
                    state.hasGrown = true
                    state.isPumping =
                        !state.streams.isEmpty || !state.candidates.isEmpty || !state.waiters.isEmpty
                    return state.isPumping
                }
                guard isFollowed else { return }
                failures = min(failures + 1, 5)
                try? await Task.sleep(for: .milliseconds(50 << failures))
            }
        }
    }

    private func seat(_ candidate: Candidate) -> Joining {
        let stream = candidate.stream
        let place = candidate.position
        stream.skip(through: place.seq)
        let (joining, missed): (Joining, ArraySlice<FeedItem>) = state.withLock { state in
            guard let position = state.position, position.feed.utf8.elementsEqual(place.feed.utf8) else {
                return (.renewed, [])
            }
            if place.seq < position.seq {
                guard let first = state.recent.first, first.seq <= place.seq + 1 else { return (.behind, []) }
            }
            state.streams[stream.number] = stream
            return (.joined, state.recent.drop { $0.seq <= place.seq })
        }
        guard case .joined = joining else { return joining }
        tally.sent(stream.offer(missed, now: MonotonicSeconds.now))
        // Whoever ended before the place was taken could not be removed from it.
        if stream.body.isOver { remove(stream: stream.number) }
        return .joined
    }

    /// Reads and hands out until there is nothing more.
    private func advance() async throws(StoreFailure) {
        while let position {
            guard let page = try await store.events(app, .all, after: position.seq, limit: Self.pageSize) else {
                return
            }
            let isGapless = page.events.first.map { $0.seq == position.seq + 1 } ?? (page.pruned <= position.seq)
            guard page.feed.utf8.elementsEqual(position.feed.utf8), isGapless else { return try await restart() }
            if page.events.isEmpty { return }
            handOut(page.events.map(FeedItem.init), feed: page.feed)
            if page.events.count < Self.pageSize { return }
        }
    }

    private func handOut(_ items: [FeedItem], feed: String) {
        let (streams, waiters) = state.withLock { state in
            if let last = items.last { state.position = EventPosition(feed: feed, seq: last.seq) }
            state.keep(items, limit: Self.recentLimit)
            return (Array(state.streams.values), state.waiters.waiting(for: items))
        }
        let now = MonotonicSeconds.now
        var sent = 0
        for stream in streams { sent += stream.offer(items[...], now: now) }
        tally.sent(sent)
        for waiter in waiters { waiter.fire() }
    }

    /// The log was renewed, or what was to come next is not kept any more: everybody is told, and it goes on from its end.
    private func restart() async throws(StoreFailure) {
        guard let head = try await store.heads([app])[app] else { return }
        let position = EventPosition(feed: head.feed, seq: head.seq)
        let (streams, waiters) = state.withLock { state in
            state.position = position
            state.recent = []
            state.recentBytes = 0
            return (Array(state.streams.values), state.waiters.all)
        }
        let reset = FeedItem.reset(to: position)
        for stream in streams {
            stream.skip(through: position.seq)
            stream.write(reset, now: MonotonicSeconds.now)
            // Whom a guardian is linked to may have changed in what was missed: they come again from here, and are looked up anew.
            if stream.filter.guardian != nil { stream.body.finish() }
        }
        tally.reset(streams.count)
        for waiter in waiters {
            if case .log(let filter) = waiter.interest { filter.guardian?.forget() }
            waiter.fire()
        }
    }
}

extension AppFeed.State {
    /// Adds to the recent events and lets the oldest go.
    fileprivate mutating func keep(_ items: [FeedItem], limit: Int) {
        recent += items
        for item in items { recentBytes += item.bytes.count }
        var gone = 0
        while recentBytes > limit, gone < recent.count {
            recentBytes -= recent[gone].bytes.count
            gone += 1
        }
        recent.removeFirst(gone)
    }
}
