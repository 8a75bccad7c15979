import Synchronization
import Testing

@testable import Postgres

/// A connection that listens: what it hears, how it tells, and that it comes back.
@Suite(.timeLimit(.minutes(5))) struct ListenerTests {
    private final class Ears: Sendable {
        struct Heard {
            var told: [String] = []
            var unknown = 0
            var isLost = false
        }

        private let state = Mutex(Heard())

        var heard: Heard { state.withLock { $0 } }

        func hear(_ news: Listener.News) {
            state.withLock {
                switch news {
                case .told(let payload): $0.told.append(payload)
                case .unknown: $0.unknown += 1
                }
            }
        }

        func observe(_ observation: Listener.Observation) {
            if case .lost = observation { state.withLock { $0.isLost = true } }
        }

        func wait(_ condition: (Heard) -> Bool) async throws {
            while !condition(heard) { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    private func listener(_ settings: ConnectionSettings, _ ears: Ears) async throws -> Listener {
        let listener = Listener(settings, channel: "test_log", observe: { ears.observe($0) }, hear: { ears.hear($0) })
        try await ears.wait { $0.unknown >= 1 }
        return listener
    }

    @Test func tellsOthersOnceAndNotItself() async throws {
        let settings = try TestCluster.database("listener_tells")
        let (ears, own) = (Ears(), Ears())
        let hearing = try await listener(settings, ears)
        let telling = try await listener(settings, own)
        for _ in 0..<500 { telling.tell("reader") }
        telling.tell("writer")
        try await ears.wait { $0.told.contains("writer") }
        // What was said in the same moment goes together, in however many moments this thread got to say it all.
        #expect(ears.heard.told.filter { $0 == "reader" }.count < 50)
        #expect(own.heard.told.isEmpty)
        #expect(await hearing.stop(within: .seconds(5)))
        #expect(await telling.stop(within: .seconds(5)))
    }

    @Test func comesBackAndSaysThatAnythingMayHaveHappened() async throws {
        let settings = try TestCluster.database("listener_lost")
        let ears = Ears()
        let hearing = try await listener(settings, ears)
        try TestCluster.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'listener_lost'")
        try await ears.wait { $0.isLost && $0.unknown >= 2 }
        let connection = try Connection(settings)
        defer { connection.close() }
        try connection.execute("notify test_log, 'again'")
        try await ears.wait { $0.told == ["again"] }
        #expect(await hearing.stop(within: .seconds(5)))
    }

    @Test func stopsWhileTheDatabaseCannotBeReached() async throws {
        let ears = Ears()
        let listener = Listener(
            try ConnectionSettings(url: "host=/nowhere dbname=x"), channel: "test_log", hear: { ears.hear($0) })
        listener.tell("lost")
        #expect(!listener.isListening)
        #expect(await listener.stop(within: .seconds(5)))
        #expect(ears.heard.unknown == 0)
    }
}
