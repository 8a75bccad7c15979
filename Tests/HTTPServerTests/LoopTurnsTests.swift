import Glibc
import Synchronization
import Testing

@testable import HTTPServer

/// What is done on a loop's thread besides: it is woken for it, often enough, and told when it is over.
@Suite struct LoopTurnsTests {
    private final class Guest: LoopTurns, @unchecked Sendable {  // sound: what is not atomic is never changed
        let turns = Atomic(0)
        let ends = Atomic(0)
        /// Calls from another thread than that of the first turn.
        let strays = Atomic(0)
        let patience: Int32
        private let bell: WakeUp
        private let thread = Atomic<UInt>(0)

        init(patience: Int32 = -1) throws {
            self.patience = patience
            bell = try #require(WakeUp())
        }

        var descriptor: Int32 { bell.descriptor }

        func run(_ turn: () -> Void) {
            note()
            bell.clear()
            turns.add(1, ordering: .sequentiallyConsistent)
            turn()
        }

        func end() {
            note()
            ends.add(1, ordering: .sequentiallyConsistent)
        }

        func wake() { bell.signal() }

        private func note() {
            let this = UInt(pthread_self())
            let first = thread.compareExchange(expected: 0, desired: this, ordering: .sequentiallyConsistent)
            if !first.exchanged, first.original != this { strays.add(1, ordering: .sequentiallyConsistent) }
        }

        var turnCount: Int { turns.load(ordering: .sequentiallyConsistent) }

        /// Waits, off the cooperative pool, until there were more turns than this; false after half a minute.
        func hasTurns(beyond count: Int) async throws -> Bool {
            try await offPool {
                for _ in 0..<30_000 where self.turnCount <= count { usleep(1_000) }
                return self.turnCount > count
            }
        }

        /// Waits until the loop has slept through this long, and says how many turns there were by then.
        func settled() async throws -> Int {
            try await offPool {
                var seen = -1
                while seen != self.turnCount {
                    seen = self.turnCount
                    usleep(50_000)
                }
                return seen
            }
        }
    }

    @Test func aLoopSleepsUntilItsGuestHasSomething() async throws {
        let guest = try Guest()
        try await withServer { configuration in
            configuration.threads = 1
            configuration.turns = { guest }
        } _: { _, port in
            for _ in 1...3 {
                let seen = try await guest.settled()
                guest.wake()
                #expect(try await guest.hasTurns(beyond: seen))
            }
            let status = try await offPool {
                let client = try RawClient(port: port)
                client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                return try client.reply()?.status
            }
            #expect(status == 200)
            #expect(guest.ends.load(ordering: .sequentiallyConsistent) == 0)
        }
        #expect(guest.ends.load(ordering: .sequentiallyConsistent) == 1)
        #expect(guest.strays.load(ordering: .sequentiallyConsistent) == 0)
    }

    @Test func aLoopSleepsNoLongerThanItsGuestWants() async throws {
        let guest = try Guest(patience: 5)
        try await withServer { configuration in
            configuration.threads = 1
            configuration.turns = { guest }
        } _: { _, _ in
            let seen = guest.turnCount
            let isWoken = try await guest.hasTurns(beyond: seen + 10)
            #expect(isWoken)
        }
    }
}
