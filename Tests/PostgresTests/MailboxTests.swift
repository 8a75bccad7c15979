import Glibc
import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(5))) struct MailboxTests {
    private func mailbox(_ change: (inout MailboxLimits) -> Void = { _ in }) -> Mailbox<Int> {
        var limits = MailboxLimits()
        change(&limits)
        return Mailbox(limits)
    }

    private func take(_ mailbox: Mailbox<Int>) -> (lane: String, items: [Int], isLow: Bool)? {
        guard case .batch(let batch) = mailbox.take(until: .now) else { return nil }
        mailbox.done(batch)
        return (batch.lane, batch.entries.compactMap(\.item), batch.isLow)
    }

    private func isAccepted(_ admission: Admission) -> Bool {
        if case .accepted = admission { true } else { false }
    }

    private func isFull(_ admission: Admission) -> Bool {
        if case .full = admission { true } else { false }
    }

    @Test func oneLaneAtATimeAndLanesTakeTurns() {
        let mailbox = mailbox { $0.batchCount = 2 }
        for item in 1...5 { _ = mailbox.put(item, lane: "busy") }
        for item in 11...12 { _ = mailbox.put(item, lane: "quiet") }
        var seen: [[Int]] = []
        while let batch = take(mailbox) { seen.append(batch.items) }
        #expect(seen == [[1, 2], [11, 12], [3, 4], [5]])
        #expect(mailbox.depth == 0)
    }

    @Test func costBoundsABatch() {
        let mailbox = mailbox { $0.batchCost = 10 }
        for (item, cost) in [(1, 4), (2, 6), (3, 1), (4, 50), (5, 1)] { _ = mailbox.put(item, lane: "a", cost: cost) }
        var seen: [[Int]] = []
        while let batch = take(mailbox) { seen.append(batch.items) }
        #expect(seen == [[1, 2], [3], [4], [5]])
    }

    @Test func boundsInTotalAndPerLane() {
        let mailbox = mailbox {
            $0.capacity = 5
            $0.laneCapacity = 3
        }
        for item in 1...3 { #expect(isAccepted(mailbox.put(item, lane: "a"))) }
        #expect(isFull(mailbox.put(4, lane: "a")))
        for item in 5...6 { #expect(isAccepted(mailbox.put(item, lane: "b"))) }
        #expect(isFull(mailbox.put(7, lane: "c")))
        _ = take(mailbox)
        #expect(isAccepted(mailbox.put(8, lane: "c")))
    }

    @Test func lowItemsLeaveRoomForNormalOnes() {
        let mailbox = mailbox { $0.laneCapacity = 4 }
        #expect(isAccepted(mailbox.put(1, lane: "a", priority: .low)))
        #expect(isAccepted(mailbox.put(2, lane: "a", priority: .low)))
        #expect(isFull(mailbox.put(3, lane: "a", priority: .low)))
        #expect(isAccepted(mailbox.put(4, lane: "a")))
        #expect(isAccepted(mailbox.put(5, lane: "a")))
        #expect(isFull(mailbox.put(6, lane: "a")))
    }

    @Test func normalBeforeLowButLowIsNotStarved() {
        let mailbox = mailbox { $0.batchCount = 1 }
        _ = mailbox.put(-1, lane: "a", priority: .low)
        _ = mailbox.put(-2, lane: "b", priority: .low)
        var lowAt: [Int] = []
        for turn in 0..<30 {
            _ = mailbox.put(turn, lane: "a")
            if let batch = take(mailbox), batch.isLow { lowAt.append(turn) }
        }
        #expect(lowAt == [8, 17])
    }

    @Test func lowBatchesInHandAreBounded() throws {
        let mailbox = mailbox { $0.lowBatchCount = 1 }
        _ = mailbox.put(1, lane: "a", priority: .low)
        _ = mailbox.put(2, lane: "b", priority: .low)
        guard case .batch(let first) = mailbox.take(until: .now) else {
            Issue.record("nothing taken")
            return
        }
        guard case .idle = mailbox.take(until: .now) else {
            Issue.record("a second low batch was handed out")
            return
        }
        mailbox.done(first)
        #expect(take(mailbox)?.items == [2])
    }

    @Test func aSecondBatchOfALaneIsTakenOnlyWhenEnoughWaits() {
        let mailbox = mailbox {
            $0.laneConcurrency = 2
            $0.besideCount = 3
        }
        _ = mailbox.put(1, lane: "a")
        guard case .batch(let first) = mailbox.take(until: .now) else {
            Issue.record("nothing taken")
            return
        }
        for item in 2...3 { _ = mailbox.put(item, lane: "a") }
        #expect(take(mailbox) == nil)
        _ = mailbox.put(4, lane: "a")
        #expect(take(mailbox)?.items == [2, 3, 4])
        _ = mailbox.put(5, lane: "a")
        #expect(take(mailbox) == nil)
        mailbox.done(first)
        #expect(take(mailbox)?.items == [5])
    }

    /// A mailbox whose lane "a" has just had a batch of two.
    private func busyMailbox(gathering: Duration, pause: Duration = .seconds(3_600)) -> Mailbox<Int> {
        let mailbox = mailbox {
            $0.besideCount = 3
            $0.gatheringCount = 3
            $0.gathering = gathering
            $0.gatheringPause = pause
        }
        for item in 1...2 { _ = mailbox.put(item, lane: "a") }
        guard case .batch(let first) = mailbox.take(until: .now) else {
            Issue.record("nothing taken")
            return mailbox
        }
        _ = mailbox.put(3, lane: "a")
        mailbox.done(first)
        return mailbox
    }

    @Test func whatWaitsForABusyLaneGathersForAWhile() {
        let gathering = Duration.milliseconds(300)
        let began = MonotonicTime.now
        let mailbox = busyMailbox(gathering: gathering)
        _ = mailbox.put(11, lane: "b")
        for _ in 1...2 {
            guard case .batch(let batch) = mailbox.take(until: .now + .seconds(30)) else {
                Issue.record("nothing taken")
                return
            }
            if batch.lane == "a" { #expect(MonotonicTime.now >= began + gathering) }
            mailbox.done(batch)
        }
        #expect(mailbox.depth == 0)
    }

    @Test func nobodyNewEndsTheWait() {
        let pause = Duration.milliseconds(200)
        let mailbox = busyMailbox(gathering: .seconds(3_600), pause: pause)
        usleep(100_000)
        let last = MonotonicTime.now
        _ = mailbox.put(4, lane: "a")
        guard case .batch(let batch) = mailbox.take(until: .now + .seconds(30)) else {
            Issue.record("nothing taken")
            return
        }
        #expect(batch.entries.compactMap(\.item) == [3, 4] && MonotonicTime.now >= last + pause)
    }

    /// One of the threads that sleep looks after what gathers; when it takes something else, another does.
    @Test func somebodyLooksAfterWhatGathers() async {
        let mailbox = busyMailbox(gathering: .milliseconds(300))
        let (batches, continuation) = AsyncStream<[Int]>.makeStream()
        for number in 1...2 {
            _ = DedicatedThread.run("taker-\(number)") {
                if case .batch(let batch) = mailbox.take(until: .now + .seconds(30)) {
                    continuation.yield(batch.entries.compactMap(\.item))
                } else {
                    continuation.yield([])
                }
            }
        }
        usleep(50_000)
        let began = MonotonicTime.now
        _ = mailbox.put(11, lane: "b")
        var taken: [[Int]] = []
        for await batch in batches {
            taken.append(batch)
            if taken.count == 2 { break }
        }
        #expect(taken == [[11], [3]] && MonotonicTime.now < began + .seconds(20))
    }

    @Test func enoughCompanyEndsTheWait() {
        let mailbox = busyMailbox(gathering: .seconds(3_600))
        _ = mailbox.put(4, lane: "a")
        #expect(take(mailbox) == nil)
        _ = mailbox.put(5, lane: "a")
        #expect(take(mailbox)?.items == [3, 4, 5])
    }

    @Test func closingEndsTheWait() {
        let mailbox = busyMailbox(gathering: .seconds(3_600))
        #expect(take(mailbox) == nil)
        mailbox.close()
        #expect(take(mailbox)?.items == [3])
        #expect(mailbox.isFinished)
    }

    @Test func whatComesAloneGoesAtOnce() {
        let mailbox = mailbox {
            $0.besideCount = 3
            $0.gatheringCount = 3
            $0.gathering = .seconds(3_600)
        }
        for item in 1...3 {
            _ = mailbox.put(item, lane: "a")
            #expect(take(mailbox)?.items == [item])
        }
    }

    @Test func gatheringHoldsNoLowItems() {
        let mailbox = busyMailbox(gathering: .seconds(3_600))
        _ = mailbox.put(9, lane: "a", priority: .low)
        #expect(take(mailbox)?.items == [9])
        #expect(take(mailbox) == nil)
    }

    /// The place of a lane whose only item was taken back must not cost the lane that came after it its name.
    @Test func aLaneEmptiedInTheRotationLeavesItsSuccessorAlone() {
        let mailbox = mailbox { $0.laneConcurrency = 1 }
        if case .accepted(let ticket) = mailbox.put(1, lane: "a") { mailbox.cancel(ticket) }
        _ = mailbox.put(2, lane: "a")
        guard case .batch(let first) = mailbox.take(until: .now) else {
            Issue.record("nothing taken")
            return
        }
        _ = mailbox.put(3, lane: "a")
        #expect(take(mailbox) == nil)
        mailbox.done(first)
        #expect(take(mailbox)?.items == [3])
        #expect(mailbox.lanes.isEmpty)
    }

    @Test func laneConcurrency() {
        let mailbox = mailbox {
            $0.batchCount = 1
            $0.laneConcurrency = 1
        }
        for item in 1...2 { _ = mailbox.put(item, lane: "a") }
        _ = mailbox.put(3, lane: "b")
        guard case .batch(let first) = mailbox.take(until: .now) else {
            Issue.record("nothing taken")
            return
        }
        #expect(take(mailbox)?.items == [3])
        #expect(take(mailbox) == nil)
        mailbox.done(first)
        #expect(take(mailbox)?.items == [2])
    }

    @Test func cancelledItemsLeave() throws {
        let mailbox = mailbox()
        var tickets: [Ticket] = []
        for item in 1...5 {
            if case .accepted(let ticket) = mailbox.put(item, lane: "a") { tickets.append(ticket) }
        }
        #expect(mailbox.cancel(tickets[2]) == 3)
        #expect(mailbox.cancel(tickets[2]) == nil)
        #expect(mailbox.cancel(tickets[0]) == 1)
        #expect(mailbox.depth == 3)
        #expect(take(mailbox)?.items == [2, 4, 5])
        #expect(mailbox.cancel(tickets[4]) == nil)
        #expect(mailbox.lanes.isEmpty)
    }

    /// Callers that come and go while the head waits must not make the queue grow.
    @Test func cancelledPlacesAreReused() {
        let mailbox = mailbox()
        _ = mailbox.put(0, lane: "a")
        for item in 1...10_000 {
            if case .accepted(let ticket) = mailbox.put(item, lane: "a") { mailbox.cancel(ticket) }
        }
        #expect(mailbox.lanes["a"].map { $0.normal.queue.count < 100 } == true)
        #expect(take(mailbox)?.items == [0])
    }

    @Test func lateItemsGoToTheWatcher() throws {
        let mailbox = mailbox()
        let now = MonotonicTime.now
        _ = mailbox.put(1, lane: "a", deadline: now + .seconds(60))
        _ = mailbox.put(2, lane: "a", deadline: now + .milliseconds(20))
        _ = mailbox.put(3, lane: "b", priority: .low, deadline: now + .milliseconds(20))
        var late: [Int] = []
        while late.count < 2 { late += try #require(mailbox.takeLate()) }
        #expect(late.sorted() == [2, 3])
        #expect(MonotonicTime.now >= now + .milliseconds(20))
        #expect(mailbox.depth == 1)
        // One that is found late when taken is not handed out either.
        _ = mailbox.put(4, lane: "c", deadline: now)
        #expect(take(mailbox)?.items == [1])
        #expect(take(mailbox) == nil)
        #expect(mailbox.takeLate() == [4])
        mailbox.endWatch()
        #expect(mailbox.takeLate() == nil)
    }

    @Test func closedMailboxHandsOutWhatItHas() {
        let mailbox = mailbox()
        _ = mailbox.put(1, lane: "a")
        mailbox.close()
        guard case .closed = mailbox.put(2, lane: "a") else {
            Issue.record("taken in after closing")
            return
        }
        #expect(take(mailbox)?.items == [1])
        guard case .closed = mailbox.take(until: .never) else {
            Issue.record("not closed")
            return
        }
        #expect(mailbox.isFinished)
    }

    @Test(arguments: [Duration.zero, .milliseconds(1)]) func waitersAreWoken(gathering: Duration) async {
        let mailbox = mailbox {
            $0.batchCount = 2
            $0.gathering = gathering
            $0.besideCount = 2
            $0.gatheringCount = 2
            $0.laneConcurrency = 2
            $0.yields = 2
        }
        let sum = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        _ = DedicatedThread.run("taker") {
                            var sum = 0
                            while case .batch(let batch) = mailbox.take(until: .never) {
                                sum += batch.entries.compactMap(\.item).reduce(0, +)
                                mailbox.done(batch)
                            }
                            continuation.resume(returning: sum)
                        }
                    }
                }
            }
            for item in 1...3_000 {
                _ = mailbox.put(item, lane: "lane \(item % 7)", priority: item % 5 == 0 ? .low : .normal)
            }
            mailbox.close()
            return await group.reduce(0, +)
        }
        #expect(sum == 3_000 * 3_001 / 2)
    }
}
