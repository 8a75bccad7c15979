import Glibc
import Synchronization
import Testing

@testable import Postgres

/// Reads in the turns of the test's own thread. A batch that is to take long sleeps in the database.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TurnReaderTests {
    typealias Squares = ReaderPoolTests.Squares

    /// What came of each number, and whether it was told on the thread that made this.
    private final class Replies: Sendable {
        struct Reply {
            let result: Result<Int32, BatchFailure>
            let isHere: Bool
        }

        private let here = pthread_self()
        private let replies = Mutex<[Int32: Reply]>([:])

        func ask(_ number: Int32) -> Squares.Question {
            Squares.Question(number: number) { [self] result in
                let isHere = pthread_equal(here, pthread_self()) != 0
                replies.withLock { $0[number] = Reply(result: result, isHere: isHere) }
            }
        }

        subscript(number: Int32) -> Reply? { replies.withLock { $0[number] } }
        var count: Int { replies.withLock(\.count) }
        var countHere: Int { replies.withLock { $0.values.count { $0.isHere } } }
    }

    /// A pool with one thread of its own, and the turns of the calling thread with a connection.
    private final class Desk {
        let pool: ReaderPool<Squares>
        let turn: Turn
        let witness = Witness()
        let replies = Replies()

        init(
            _ handler: Squares = Squares(), _ change: (inout PoolSettings) -> Void = { _ in }
        ) throws {
            var settings = PoolSettings(try TestCluster.settings(), name: "turns", threads: 2)
            settings.turning = 1
            settings.turnPatience = .seconds(30)
            settings.limits.besideCount = 16
            change(&settings)
            pool = ReaderPool(settings, handler: handler, observe: witness.note)
            turn = pool.turn()
            #expect(run { self.turn.descriptor >= 0 })
        }

        /// Runs turns, sleeping between them as a loop would, until something holds; false after half a minute.
        @discardableResult
        func run(until isDone: () -> Bool) -> Bool {
            let limit = MonotonicTime.now + .seconds(30)
            while !isDone() {
                guard MonotonicTime.now < limit else { return false }
                turn.run {}
                if isDone() { return true }
                let patience = turn.patience
                var entry = pollfd(fd: turn.descriptor, events: Int16(POLLIN), revents: 0)
                poll(&entry, 1, patience < 0 ? 10 : min(patience, 10))
            }
            return true
        }

        /// Hands numbers in within one turn.
        func ask(
            _ numbers: [Int32], lane: String = "a", priority: Priority = .normal, deadline: Duration = .seconds(20)
        ) {
            turn.run {
                for number in numbers { put(number, lane: lane, priority: priority, deadline: deadline) }
            }
        }

        func put(
            _ number: Int32, lane: String = "a", priority: Priority = .normal, deadline: Duration = .seconds(20),
            inTurn: Bool = true
        ) {
            let admission = pool.submit(
                replies.ask(number), lane: lane, priority: priority, deadline: .now + deadline, inTurn: inTurn)
            guard case .accepted = admission else {
                Issue.record("\(number) was not accepted")
                return
            }
        }

        /// The sizes of the batches that ended well, in the order they did.
        var batches: [Int] {
            witness.all.compactMap { if case .batch(let items, _, _) = $0 { items } else { nil } }
        }

        var losses: Int { witness.count { if case .lost = $0 { true } else { false } } }

        func end() async {
            turn.end()
            #expect(await pool.stop(within: .seconds(5)))
        }
    }

    /// Sleeps in front of a batch that holds the number.
    private static func sleeping(milliseconds: Int64, before number: Int32) -> Squares {
        var handler = Squares()
        handler.before = { items in
            var flight = Flight()
            if items.contains(where: { $0.number == number }) {
                var time = Parameters()
                time.append(int8: milliseconds)
                flight.add(Statement("sleep", "select pg_sleep($1 / 1000.0)", parameterTypes: [.int8]), time)
            }
            return flight
        }
        return handler
    }

    @Test func whatATurnHandsInIsOneBatchReadByItsThread() async throws {
        let desk = try Desk()
        desk.ask([1, 2, 3])
        #expect(desk.run { desk.replies.count == 3 })
        for number: Int32 in 1...3 {
            #expect(try desk.replies[number]?.result.get() == number * number)
            #expect(desk.replies[number]?.isHere == true)
        }
        #expect(desk.batches == [3])
        await desk.end()
    }

    @Test func whatComesMeanwhileIsTheNextBatch() async throws {
        let desk = try Desk(Self.sleeping(milliseconds: 1_000, before: 1))
        desk.ask([1])
        desk.ask([2])
        desk.ask([3, 4])
        #expect(desk.run { desk.replies.count == 4 })
        #expect(desk.replies.countHere == 4 && desk.batches == [1, 3])
        await desk.end()
    }

    @Test func whatWouldWaitLongGoesToThePoolsThreads() async throws {
        let desk = try Desk(Self.sleeping(milliseconds: 2_000, before: 1)) { $0.turnPatience = .milliseconds(20) }
        desk.ask([1])
        desk.ask([2])
        #expect(desk.run { desk.replies[2] != nil })
        #expect(desk.replies[2]?.isHere == false && desk.replies[1] == nil)
        // What comes while the batch is late goes there within the turn.
        desk.ask([3])
        #expect(desk.run { desk.replies[3] != nil })
        #expect(desk.replies[3]?.isHere == false && desk.replies[1] == nil)
        #expect(desk.run { desk.replies[1]?.isHere == true })
        await desk.end()
    }

    @Test func onlySoManyWaitBehindABatch() async throws {
        let desk = try Desk(Self.sleeping(milliseconds: 1_000, before: 1)) { $0.limits.besideCount = 2 }
        desk.ask([1])
        desk.ask([2, 3, 4, 5, 6])
        #expect(desk.run { desk.replies.count == 6 })
        #expect(desk.replies.countHere == 3 && desk.replies[2]?.isHere == true && desk.replies[4]?.isHere == false)
        await desk.end()
    }

    @Test func tenantsFlyTogetherUpToEight() async throws {
        let desk = try Desk()
        desk.turn.run { for number: Int32 in 1...10 { desk.put(number, lane: "tenant-\(number)") } }
        #expect(desk.run { desk.replies.count == 10 })
        #expect(desk.replies.countHere == 8)
        await desk.end()
    }

    @Test func inSharedSessionsOneTenantFliesAtATime() async throws {
        let desk = try Desk { $0.connection.sharesSessions = true }
        desk.turn.run { for number: Int32 in 1...3 { desk.put(number, lane: "tenant-\(number)") } }
        #expect(desk.run { desk.replies.count == 3 })
        #expect(desk.replies.countHere == 1)
        desk.ask([4])
        #expect(desk.run { desk.replies[4]?.isHere == true })
        await desk.end()
    }

    @Test func aRefusedBatchIsReadByThePoolsThreads() async throws {
        let desk = try Desk()
        desk.ask([12, 13, 14])
        #expect(desk.run { desk.replies.count == 3 })
        guard case .failure(.poisoned(let error))? = desk.replies[13]?.result else {
            Issue.record("13 was answered")
            return
        }
        #expect(error.sqlState == "22012" && desk.replies.countHere == 0)
        #expect(try desk.replies[12]?.result.get() == 144 && desk.replies[14]?.result.get() == 196)
        desk.ask([5])
        #expect(desk.run { desk.replies[5]?.isHere == true })
        #expect(desk.losses == 0)
        await desk.end()
    }

    /// The refused flight takes the preparation with it that the one behind it counted on; a session without a statement it is
    /// thought to have is replaced.
    @Test func aFlightBehindARefusedOneIsAnsweredToo() async throws {
        var handler = Squares()
        handler.before = { items in
            var flight = Flight()
            if items.contains(where: { $0.number == 1 }) { flight.add(Statement("broken", "select 1 / 0")) }
            return flight
        }
        let desk = try Desk(handler)
        desk.turn.run {
            desk.put(1, lane: "a")
            desk.put(2, lane: "b")
        }
        #expect(desk.run { desk.replies.count == 2 })
        #expect(try desk.replies[2]?.result.get() == 4)
        guard case .failure(.poisoned)? = desk.replies[1]?.result else {
            Issue.record("1 was answered")
            return
        }
        #expect(desk.run { desk.turn.descriptor >= 0 })
        desk.ask([3])
        #expect(desk.run { desk.replies[3]?.isHere == true })
        await desk.end()
    }

    @Test func aLostConnectionCostsNoReadAndIsReplaced() async throws {
        let losses = Countdown(1)
        var handler = Squares()
        handler.before = { _ in
            var flight = Flight()
            if losses.next() { flight.add(Squares.goodbye) }
            return flight
        }
        let desk = try Desk(handler)
        desk.ask([1, 2])
        desk.ask([3])
        #expect(desk.run { desk.replies.count == 3 })
        #expect(desk.replies.countHere == 0 && desk.losses == 1)
        #expect(desk.run { desk.turn.descriptor >= 0 })
        desk.ask([4])
        #expect(desk.run { desk.replies[4]?.isHere == true })
        await desk.end()
    }

    @Test func aConnectionLostWhileIdleIsReplaced() async throws {
        let desk = try Desk { $0.connection.applicationName = "idle-turns" }
        desk.ask([1])
        #expect(desk.run { desk.replies[1]?.isHere == true })
        try TestCluster.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'idle-turns'")
        #expect(desk.run { desk.losses >= 1 && desk.turn.descriptor >= 0 })
        desk.ask([2])
        #expect(desk.run { desk.replies.count == 2 })
        #expect(try desk.replies[2]?.result.get() == 4)
        await desk.end()
    }

    @Test func aBatchThatIsNeverAnsweredIsGivenUp() async throws {
        let desk = try Desk(Self.sleeping(milliseconds: 20_000, before: 1)) {
            $0.connection.flightTimeout = .seconds(1)
        }
        desk.ask([1])
        #expect(desk.run { desk.replies.count == 1 })
        guard case .failure(.unavailable)? = desk.replies[1]?.result else {
            Issue.record("1 was answered")
            return
        }
        #expect(desk.run { desk.turn.descriptor >= 0 })
        desk.ask([2])
        #expect(desk.run { desk.replies[2]?.isHere == true })
        await desk.end()
    }

    /// The socket is only waited on for reading; what it did not take at once must go even so.
    @Test func whatTheSocketDoesNotTakeAtOnceIsSentLater() async throws {
        var handler = Squares()
        handler.before = { _ in
            var flight = Flight()
            var text = Parameters()
            text.append(text: String(repeating: "a", count: 8 << 20))
            flight.add(Statement("length", "select length($1)", parameterTypes: [.text]), text)
            return flight
        }
        let desk = try Desk(handler)
        desk.ask([1])
        let patience = desk.turn.patience
        #expect(patience >= 0 && patience <= 1)
        #expect(desk.run { desk.replies[1]?.isHere == true })
        await desk.end()
    }

    @Test func whoComesTooLateIsNotReadFor() async throws {
        let desk = try Desk(Self.sleeping(milliseconds: 1_000, before: 1))
        desk.ask([1])
        desk.ask([2], deadline: .milliseconds(50))
        desk.ask([3])
        #expect(desk.run { desk.replies.count == 3 })
        guard case .failure(.expired)? = desk.replies[2]?.result else {
            Issue.record("2 was answered")
            return
        }
        #expect(try desk.replies[3]?.result.get() == 9)
        await desk.end()
    }

    @Test func backgroundWorkAndWhatComesFromElsewhereGoToThePoolsThreads() async throws {
        let desk = try Desk()
        desk.ask([1], priority: .low)
        desk.put(2)
        desk.turn.run { desk.put(3, inTurn: false) }
        #expect(desk.run { desk.replies.count == 3 })
        #expect(desk.replies.countHere == 0)
        await desk.end()
    }

    @Test func theLastTurnLeavesNothingBehind() async throws {
        let desk = try Desk(Self.sleeping(milliseconds: 1_000, before: 1))
        desk.ask([1])
        desk.ask([2])
        desk.turn.end()
        let limit = MonotonicTime.now + .seconds(30)
        while desk.replies.count < 2, MonotonicTime.now < limit { usleep(1_000) }
        #expect(try desk.replies[1]?.result.get() == 1 && desk.replies[2]?.result.get() == 4)
        #expect(desk.replies.countHere == 0 && desk.turn.descriptor < 0 && desk.losses == 0)
        #expect(await desk.pool.stop(within: .seconds(5)))
    }

    @Test func aPoolThatIsStoppedTakesNothingMore() async throws {
        let desk = try Desk()
        desk.turn.run {}
        let pool = desk.pool
        async let isStopped = pool.stop(within: .seconds(5))
        let limit = MonotonicTime.now + .seconds(30)
        var wasClosed = false
        while !wasClosed, MonotonicTime.now < limit {
            desk.turn.run {
                let question = Squares.Question(number: 1) { _ in }
                if case .closed = pool.submit(question, lane: "a", deadline: .now + .seconds(20)) {
                    wasClosed = true
                }
            }
        }
        #expect(wasClosed)
        desk.turn.end()
        #expect(await isStopped)
    }

    @Test func halfOfTheConnectionsAreThePoolsOwn() async throws {
        var settings = PoolSettings(try TestCluster.settings(), name: "turns", threads: 2)
        settings.turning = 2
        let pool = ReaderPool(settings, handler: Squares())
        let (first, second) = (pool.turn(), pool.turn())
        #expect(first.work != nil && second.work == nil)
        second.run {}
        #expect(second.descriptor < 0 && second.patience < 0)
        first.end()
        second.end()
        #expect(await pool.stop(within: .seconds(5)))
    }
}
