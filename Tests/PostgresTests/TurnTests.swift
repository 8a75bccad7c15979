import Glibc
import Synchronization
import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(5))) struct TurnTests {
    /// A thread that waits for a condition, and what it saw when it was woken.
    private final class Sleeper: Sendable {
        let monitor = Monitor()
        let condition = Monitor.Condition()
        private let isAsleep = Atomic(false)
        private let wasTold = Atomic(false)
        private let sawTheEnd = Atomic<Bool>(false)
        private let isOver = Atomic(false)
        let isAtEnd = Atomic(false)

        /// Returns once the thread sleeps.
        func start() -> Bool {
            let started = DedicatedThread.run("sleeper") { [self] in
                monitor.lock()
                isAsleep.store(true, ordering: .sequentiallyConsistent)
                while !wasTold.load(ordering: .sequentiallyConsistent) { monitor.wait(for: condition, until: .never) }
                sawTheEnd.store(isAtEnd.load(ordering: .sequentiallyConsistent), ordering: .sequentiallyConsistent)
                monitor.unlock()
                isOver.store(true, ordering: .sequentiallyConsistent)
            }
            while started, !monitor.locked({ isAsleep.load(ordering: .sequentiallyConsistent) }) { usleep(1_000) }
            return started
        }

        func wake() {
            monitor.locked { wasTold.store(true, ordering: .sequentiallyConsistent) }
            Turn.signal(condition)
        }

        var hasWoken: Bool { isOver.load(ordering: .sequentiallyConsistent) }

        /// Whether it was woken when everything was done; waits for it to wake.
        var wokeAtTheEnd: Bool {
            while !hasWoken { usleep(1_000) }
            return sawTheEnd.load(ordering: .sequentiallyConsistent)
        }
    }

    @Test func whoWaitsIsWokenWhenTheTurnIsOver() throws {
        let sleeper = Sleeper()
        try #require(sleeper.start())
        Turn().run {
            sleeper.wake()
            usleep(50_000)
            sleeper.isAtEnd.store(true, ordering: .sequentiallyConsistent)
        }
        #expect(sleeper.wokeAtTheEnd)
    }

    @Test func whoWaitsIsWokenAtOnceOutsideAndAfterATurn() throws {
        for sleeper in [Sleeper(), Sleeper()] {
            try #require(sleeper.start())
            sleeper.wake()
            while !sleeper.hasWoken { usleep(1_000) }
            Turn().run {}
        }
    }

    /// A thread that comes late finds the first item before it would have slept; so there are several tries.
    @Test func whatIsHandedInDuringATurnIsOneBatch() async throws {
        for _ in 1...50 {
            let mailbox = Mailbox<Int>()
            let (batches, continuation) = AsyncStream<[Int]>.makeStream()
            let started = DedicatedThread.run("taker") {
                if case .batch(let batch) = mailbox.take(until: .now + .seconds(30)) {
                    continuation.yield(batch.entries.compactMap(\.item))
                }
                continuation.finish()
            }
            try #require(started)
            usleep(10_000)
            Turn().run {
                for item in 1...3 {
                    _ = mailbox.put(item, lane: "a")
                    usleep(10_000)
                }
            }
            for await batch in batches where batch == [1, 2, 3] { return }
        }
        Issue.record("the items of a turn were taken one by one")
    }
}
