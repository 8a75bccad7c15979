import Consent
import HTTPServer
import Store
import Synchronization
import Testing

@testable import API
@testable import TestSupport

/// What followers of the log take from it, and when; without a server.
@Suite(.timeLimit(.minutes(3))) struct FeedTests {
    private final class Record: Sendable {
        private let state = Mutex((inside: 0, most: 0, order: [Int]()))
        var most: Int { state.withLock { $0.most } }
        var order: [Int] { state.withLock { $0.order } }
        var count: Int { order.count }

        func enter(_ number: Int) {
            state.withLock {
                $0.inside += 1
                $0.most = max($0.most, $0.inside)
                $0.order.append(number)
            }
        }
        func leave() { state.withLock { $0.inside -= 1 } }
    }

    @Test func neverMoreAtOnceAndNobodyIsForgotten() async {
        let doorway = Doorway(8)
        let record = Record()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<5_000 {
                group.addTask {
                    await doorway.enter()
                    record.enter(number)
                    if number % 7 == 0 { await Task.yield() }
                    record.leave()
                    doorway.leave()
                }
            }
        }
        #expect(record.most <= 8 && record.count == 5_000)
        await doorway.enter()
        doorway.leave()
    }

    @Test func whoWaitsLongestIsNext() async {
        let doorway = Doorway(1)
        let record = Record()
        await doorway.enter()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<3 {
                let before = doorway.waiting
                group.addTask {
                    await doorway.enter()
                    record.enter(number)
                    doorway.leave()
                }
                while doorway.waiting == before { await Task.yield() }
            }
            doorway.leave()
        }
        #expect(record.order == [0, 1, 2])
    }

    @Test func aClockThatIsAheadMakesNobodyLookAllTheTime() {
        let now = Instant(microseconds: 1_000_000_000)
        for (moment, wait) in [(1, 20_001), (3_600_000_001, 3_600_020_000), (0, 500_000), (-2_000_000, 500_000)] {
            let moment = Instant(microseconds: now.microseconds + Int64(moment))
            #expect(Duration.until(moment, from: now) == .microseconds(wait))
        }
    }

    /// The look at a key hangs, as behind a network that swallows packets: streams still beat, and end when their token does.
    @Test func streamsBeatAndEndWhileTheDatabaseHangs() async throws {
        var settings = EventFeed.Settings()
        settings.heartbeat = .seconds(12)
        // What opens a stream fits, a comment after it does not: so a stream that beats is cut.
        settings.streamBuffer = FeedItem.greeting.count
        let service = try FakeService(feed: settings)
        let app = AppID(trusted: "reader")
        service.store.content.withLock { $0.heads[app] = FeedHead(feed: "f", seq: 0, pruned: 0) }
        let feed = service.application.feed
        let key = service.issued.stored.id
        let run = Task { await feed.run() }
        defer { run.cancel() }
        func open(until deadline: ContinuousClock.Instant?) throws -> BodyStream {
            let reader = FeedReader(key: key, holder: key, isToken: false, deadline: deadline)
            return try #require(feed.open(app, reader, FeedFilter(), after: nil))
        }
        // Late enough for what comes before, on a machine that has much else to do.
        let ending = try open(until: .now + .seconds(10)), beating = try open(until: nil)
        // Both are let in, and what is known of their key grows old.
        let seats = feed.enter(app, waits: true).0
        defer { feed.leave(app, waits: true) }
        while seats.streams.count < 2, !ending.isOver { try await Task.sleep(for: .milliseconds(5)) }
        let gate = Turnstile(0)
        service.store.content.withLock { $0.credentialGate = gate }
        service.clock.advance(by: .seconds(10))
        let end = ContinuousClock.now + .seconds(60)
        while !ending.isOver || !beating.isOver, .now < end { try await Task.sleep(for: .milliseconds(50)) }
        #expect(ending.isOver && beating.isOver)
        #expect(service.store.content.withLock { $0.credentialReads } > 1, "the look at the key hung meanwhile")
        for _ in 0..<10 { await gate.leave() }
    }

    /// A stream whose reader may not have a single byte waiting: the first heartbeat ends it.
    @Test func heartbeatsComeInTimeAndNotAllTogether() {
        var due: [Int: Int] = [:]
        for number in 0..<100 {
            let body = BodyStream(limit: 1)
            let stream = FeedStream(number, key: Identifier(high: 0, low: 0), FeedFilter(), body, now: 0)
            var second: Int64 = 0
            while !body.isOver {
                second += 1
                stream.beat(after: 15, now: second)
            }
            due[Int(second), default: 0] += 1
        }
        #expect(due.keys.allSatisfy { (10...15).contains($0) })
        #expect(due.values.allSatisfy { $0 < 20 })
        // A second is as short as it gets.
        let body = BodyStream(limit: 1)
        let stream = FeedStream(7, key: Identifier(high: 0, low: 0), FeedFilter(), body, now: 0)
        stream.beat(after: 1, now: 0)
        #expect(!body.isOver)
        stream.beat(after: 1, now: 1)
        #expect(body.isOver)
    }
}
