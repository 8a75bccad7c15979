import Consent
import Glibc
import Postgres
import Store
@testable import TestSupport
import Testing

/// What callers were told against what is stored, while the database is killed under them.
@Suite(.timeLimit(.minutes(5))) struct FaultTests {
    /// A caller's own book: a key for each thing it wanted, and the question it was told.
    private struct Told: Sendable {
        let key: String
        let question: Identifier
    }

    /// Asks and approves again and again, each under a key that is kept until there is an answer.
    private static func load(_ test: TestStore, worker: Int, until isOver: @Sendable () async -> Bool) async throws
        -> [Told]
    {
        var told: [Told] = []
        var number = 0
        while await !isOver() {
            let key = "w\(worker)-\(number)"
            let person = CallerID(trusted: "p-\(worker)")
            let ask = Samples.ask(person, CallerID(trusted: key))
            let question = try await Self.insist(test, ask, Samples.key(key))
            told.append(Told(key: key, question: question))
            _ = try await Self.insist(test, Samples.approval(question), Samples.key(key + "-yes"))
            number += 1
        }
        return told
    }

    /// Runs a keyed command until it is told what came of it.
    private static func insist(_ test: TestStore, _ command: Command, _ key: IdempotencyKey) async throws -> Identifier
    {
        while true {
            do {
                let reply = try await test.run(command, key: key)
                if let question = reply.question { return question.id }
                if case .question(let id) = reply.replay?.resource { return id }
                throw LogReplay.Disagreement(description: "\(reply)")
            } catch StoreFailure.unavailable, StoreFailure.outcomeUnknown, StoreFailure.deadline {
                await Task.yield()
            }
        }
    }

    /// Runs the load while `harm` is done, and holds what was told against the database.
    private func survive(_ test: TestStore, _ harm: @Sendable () async throws -> Void) async throws {
        let over = Flag()
        let told = try await withThrowingTaskGroup(of: [Told].self) { group in
            for worker in 0..<12 {
                group.addTask { try await Self.load(test, worker: worker) { await over.isRaised } }
            }
            try await harm()
            await over.raise()
            return try await group.reduce(into: []) { $0 += $1 }
        }
        // Still at work, with the connections it made itself.
        #expect(try await test.run(Samples.ask("afterwards")).asked == .created)
        #expect(told.count > 12)
        let stored = try test.texts(
            "select topic_value || ' ' || id || ' ' || state from question where topic_value like 'w%'")
        // Everything told is there, and nothing twice for one key.
        #expect(Set(stored) == Set(told.map { "\($0.key) \($0.question.text) approved" }))
        #expect(stored.count == told.count)
        #expect(try test.count("select count(*) from answer") == told.count)
        let replay = try LogReplay(test.app, try await test.log())
        try await replay.model.expectSame(as: test)
    }

    @Test func nothingToldIsLostWhenTheServerIsKilled() async throws {
        let cluster = try EmbeddedCluster.start(try .disposable())
        defer { cluster.stop() }
        let settings = try ConnectionSettings(url: cluster.connectionString)
        try TestDatabase.migrate(settings)
        let test = TestStore(settings)
        _ = try await test.run(.putApp(AppSettings(name: "Reader"), .none))
        try await survive(test) {
            for _ in 0..<3 {
                try await Task.sleep(for: .milliseconds(250))
                guard let process = cluster.processIdentifier else { continue }
                kill(process, SIGKILL)
                while cluster.processIdentifier == process { try await Task.sleep(for: .milliseconds(5)) }
                // Served again, by this very store.
                var isServed = false
                while !isServed { isServed = (try? await test.store.app(test.app)) != nil }
            }
            try await Task.sleep(for: .milliseconds(250))
        }
        await test.store.stop(within: .seconds(5))
    }

    @Test func nothingToldIsLostWhenSessionsAreTerminated() async throws {
        try await TestStore.with("fault_sessions") { test in
            try await survive(test) {
                for _ in 0..<60 {
                    try await Task.sleep(for: .milliseconds(15))
                    _ = try test.texts(
                        """
                        select pg_terminate_backend(pid) from (
                            select pid from pg_stat_activity
                            where datname = current_database() and pid <> pg_backend_pid() order by random() limit 1
                        ) s
                        """)
                }
            }
        }
    }

    @Test func whoWaitsIsToldWhenTheStoreStops() async throws {
        let settings = try ConnectionSettings(url: "host=/nowhere dbname=nothing")
        let test = TestStore(settings)
        let waiting = (0..<50).map { number in
            Task { () -> StoreFailure? in
                do throws(StoreFailure) {
                    if number % 2 == 0 {
                        _ = try await test.run(Samples.ask("p"))
                    } else {
                        _ = try await test.store.app(test.app)
                    }
                    return nil
                } catch {
                    return error
                }
            }
        }
        while test.store.writeDepth + test.store.readDepth < 50 { await Task.yield() }
        #expect(!test.store.isConnected)
        await test.store.stop(within: .zero)
        for task in waiting { #expect(await task.value == .unavailable) }
        await #expect(throws: StoreFailure.unavailable) { try await test.run(Samples.ask("p")) }
    }

    @Test func whoseTimeIsUpIsToldAndLeavesTheQueue() async throws {
        let test = TestStore(try ConnectionSettings(url: "host=/nowhere dbname=nothing"))
        let submission = Submission(app: test.app, command: Samples.ask("p"), patience: .milliseconds(30))
        await #expect(throws: StoreFailure.deadline) { try await test.store.submit(submission) }
        #expect(test.store.writeDepth == 0)
        await test.store.stop(within: .zero)
    }

    @Test func aFullQueueSaysSoAtOnce() async throws {
        var settings = Store.Settings(try ConnectionSettings(url: "host=/nowhere dbname=nothing"))
        settings.writeQueue = 8
        settings.readQueue = 8
        let store = Store(settings)
        let app = AppID(trusted: "reader")
        let waiting = (0..<4).map { _ in
            Task { try? await store.submit(Submission(app: app, command: Samples.ask("p"))) }
        }
        while store.writeDepth < 4 { await Task.yield() }
        await #expect(throws: StoreFailure.overloaded) {
            try await store.submit(Submission(app: app, command: Samples.ask("p")))
        }
        await store.stop(within: .zero)
        for task in waiting { #expect(await task.value == nil) }
    }
}
