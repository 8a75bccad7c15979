import Consent
import HTTPServer
import Representation
import Store

extension EventFeed {
    /// Opens a stream of what the filter takes, after the position given or from now on; nil when the caller has too many.
    func open(_ app: AppID, _ reader: FeedReader, _ filter: FeedFilter, after start: EventPosition?) -> BodyStream? {
        guard admit(reader.holder, most: most(reader)) else { return nil }
        let (feed, number) = enter(app, waits: false)
        let body = BodyStream(limit: settings.streamBuffer) { [self] ending in
            if ending == .tooSlow { tally.cut() }
            feed.remove(stream: number)
            leave(app, waits: false)
            dismiss(reader.holder)
        }
        let stream = FeedStream(
            number, key: reader.key, filter, body, now: MonotonicSeconds.now, deadline: reader.deadline)
        body.write(FeedItem.greeting)
        Task { await serve(stream, feed, after: start) }
        return body
    }

    /// How many streams a reader may have open.
    func most(_ reader: FeedReader) -> Int {
        reader.isToken ? min(settings.streamsPerSubject, settings.streamsPerKey) : settings.streamsPerKey
    }

    /// Brings a stream up to where its app's feed stands, a page at a time and no faster than its reader takes them, and seats it
    /// there. From then on it costs no task.
    private func serve(_ stream: FeedStream, _ feed: AppFeed, after start: EventPosition?) async {
        var place = start
        var isNew = start == nil
        var failures = 0
        while !stream.body.isOver, !isStopped, await mayGoOn(stream) {
            do throws(StoreFailure) {
                guard try await feed.start(), let head = try await head(feed.app, for: stream.filter) else { break }
                let end = EventPosition(feed: head.feed, seq: head.seq)
                if isNew {
                    place = end
                    isNew = false
                }
                guard let from = place else { break }
                guard let reached = try await catchUp(stream, feed.app, from, head) else { break }
                failures = 0
                place = reached
                // Whom a guardian is linked to is known as of the head alone.
                if stream.filter.guardian != nil, reached != end { continue }
                switch await feed.join(stream, at: reached) {
                case .joined:
                    if isStopped { stream.body.finish() }
                    return
                case .behind: break
                case .renewed:
                    // One of the two has not noticed yet.
                    feed.grew()
                    try? await Task.sleep(for: .milliseconds(20))
                }
            } catch {
                failures += 1
                if failures > 10 { break }
                try? await Task.sleep(for: .milliseconds(100 << min(failures, 4)))
            }
        }
        stream.body.finish()
    }

    /// Until it has joined the feed a stream looks by itself whether its reader may still be told anything.
    private func mayGoOn(_ stream: FeedStream) async -> Bool {
        guard !stream.hasEnded(at: .now) else { return false }
        return await isInForce(stream.key)
    }

    /// Writes what lies between the position and the head, or a reset where that cannot be done; where it came to, or nil when
    /// there is nothing to read any more or nobody to read it.
    private func catchUp(
        _ stream: FeedStream, _ app: AppID, _ from: EventPosition, _ head: FeedHead
    ) async throws(StoreFailure) -> EventPosition? {
        guard from.feed.utf8.elementsEqual(head.feed.utf8), from.seq <= head.seq else {
            return reset(stream, EventPosition(feed: head.feed, seq: head.seq))
        }
        if from.seq < head.pruned { return reset(stream, EventPosition(feed: head.feed, seq: head.pruned)) }
        var seq = from.seq
        while seq < head.seq {
            guard await mayGoOn(stream) else { return nil }
            let types = stream.filter.types.map { Array($0) }
            let page = try await events(app, stream.filter.stored, types, after: seq)
            guard let page else { return nil }
            guard page.feed.utf8.elementsEqual(head.feed.utf8) else {
                return EventPosition(feed: head.feed, seq: seq)
            }
            if page.pruned > seq { return reset(stream, EventPosition(feed: page.feed, seq: page.pruned)) }
            for event in page.events {
                let item = FeedItem(event)
                // Whom a guardian is linked to is known as of the head: what comes after it is handed out by the feed.
                if stream.filter.guardian != nil, item.seq > head.seq { break }
                seq = item.seq
                guard stream.filter.takesOfStored(item) else { continue }
                guard await stream.body.room(), !stream.hasEnded(at: .now) else { return nil }
                stream.write(item.bytes, now: MonotonicSeconds.now)
                tally.sent(1)
            }
            if page.events.count < Self.pageSize || seq >= head.seq || page.last > head.seq { break }
        }
        return EventPosition(feed: head.feed, seq: max(seq, head.seq))
    }

    private static let pageSize = 100

    private func reset(_ stream: FeedStream, _ position: EventPosition) -> EventPosition {
        stream.write(FeedItem.reset(to: position), now: MonotonicSeconds.now)
        tally.reset(1)
        return position
    }
}
