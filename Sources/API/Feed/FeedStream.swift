import Consent
import HTTPServer
import Synchronization

/// One stream of events: who reads it, what of the log they want, and where it goes. Once it has joined its app's feed only that
/// feed's pump writes events to it; heartbeats may come between.
final class FeedStream: Sendable {
    let number: Int
    /// The key that opened it, or that made the token which did.
    let key: Identifier
    /// When it ends in any case; nil: never.
    let deadline: ContinuousClock.Instant?
    let filter: FeedFilter
    let body: BodyStream
    /// Up to where it has been served.
    private let after = Atomic<Int64>(0)
    /// When something was last written, in seconds of any clock that goes forward.
    private let touched: Atomic<Int64>

    init(
        _ number: Int, key: Identifier, _ filter: FeedFilter, _ body: BodyStream, now: Int64,
        deadline: ContinuousClock.Instant? = nil
    ) {
        self.deadline = deadline
        self.number = number
        self.key = key
        self.filter = filter
        self.body = body
        touched = Atomic(now)
    }

    /// What came up to this was served otherwise.
    func skip(through seq: Int64) { after.store(seq, ordering: .relaxed) }

    /// Hands over what it wants of these; how many that was.
    func offer(_ items: ArraySlice<FeedItem>, now: Int64) -> Int {
        let after = after.load(ordering: .relaxed)
        var count = 0
        for item in items where item.seq > after && filter.takes(item) {
            guard body.write(item.bytes) else { break }
            count += 1
        }
        if count > 0 { touched.store(now, ordering: .relaxed) }
        return count
    }

    /// Whether nothing may be told any more.
    func hasEnded(at now: ContinuousClock.Instant) -> Bool { deadline.map { $0 <= now } ?? false }

    func write(_ bytes: [UInt8], now: Int64) {
        body.write(bytes)
        touched.store(now, ordering: .relaxed)
    }

    /// Shows that the stream lives, where nothing else has for so many seconds. Streams that were last written to together would
    /// all beat together and keep events waiting meanwhile, so up to a third of the time is cut short, for each by its number.
    func beat(after seconds: Int64, now: Int64) {
        let early = Int64(number) % (seconds / 3 + 1)
        if now - touched.load(ordering: .relaxed) >= seconds - early { write(FeedItem.heartbeat, now: now) }
    }
}
