import Consent
import HTTPServer
import Synchronization
import Testing

@testable import API

/// What followers of the log take from it, and when; without a server.
@Suite(.timeLimit(.minutes(1))) struct FeedTests {
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
