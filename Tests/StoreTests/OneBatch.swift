import Consent
import Postgres
import Store
import TestSupport
import Testing

/// Commands made to share one transaction, in a known order: the only writer is held up at a locked row until all of
/// them wait behind it.
struct OneBatch {
    private let test: TestStore
    private let single: TestStore

    /// `test` gets a person "gate", whose row is what the writer is held up at.
    init(_ test: TestStore) async throws {
        self.test = test
        var patient = test.settings
        // The gate is held for as long as the commands take to come: no lock timeout may let the writer go early.
        patient.lockTimeout = .seconds(60)
        patient.statementTimeout = .seconds(60)
        patient.flightTimeout = .seconds(60)
        single = TestStore(patient, writers: 1)
        _ = try await test.run(.putPerson("gate", .unknown, .none))
    }

    /// The store whose only writer is held up.
    var store: Store { single.store }

    /// Runs `body` while the writer is held up, and returns once it has gone on.
    func whileHeld<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        let connection = try Connection(test.settings)
        defer { connection.close() }
        try connection.execute("begin; select 1 from person where id = 'gate' for update")
        let gate = Task { try await single.run(.putPerson("gate", .unknown, .none)) }
        try await test.somebodyWaitsForALock()
        let value = try await body()
        try connection.execute("commit")
        _ = try await gate.value
        return value
    }

    /// Each command's reply, or why it failed, in the order given.
    func run(_ commands: [(Command, IdempotencyKey?)]) async throws -> [Result<Reply, StoreFailure>] {
        let tasks = try await whileHeld {
            var tasks: [Task<Result<Reply, StoreFailure>, Never>] = []
            for (command, key) in commands {
                tasks.append(
                    Task {
                        do throws(StoreFailure) {
                            return .success(try await single.run(command, key: key))
                        } catch {
                            return .failure(error)
                        }
                    })
                while store.writeDepth < tasks.count { await Task.yield() }
            }
            return tasks
        }
        var results: [Result<Reply, StoreFailure>] = []
        for task in tasks { results.append(await task.value) }
        return results
    }

    /// The replies, where none may fail; and that all of them were one transaction, by their events' moment.
    func replies(_ commands: [Command]) async throws -> [Reply] {
        let before = try await test.log().count
        let replies = try await run(commands.map { ($0, nil) }).map { try $0.get() }
        let moments = Set(try await test.log().dropFirst(before).map(\.at))
        #expect(moments.count <= 1, "more than one transaction")
        return replies
    }

    func stop() async {
        await single.store.stop(within: .seconds(5))
    }

    static func with(
        _ name: String, policy: Policy = Policy(), _ body: @Sendable (TestStore, OneBatch) async throws -> Void
    ) async throws {
        try await TestStore.with(name, policy: policy) { test in
            let batch = try await OneBatch(test)
            do {
                try await body(test, batch)
                _ = try LogReplay(test.app, try await test.log())
            } catch {
                await batch.stop()
                throw error
            }
            await batch.stop()
        }
    }
}

extension TestStore {
    /// Returns once a session of this very database waits for a lock: the other tests' databases are on the same cluster.
    func somebodyWaitsForALock() async throws {
        let waiting = """
            select count(*) from pg_stat_activity
            where wait_event_type = 'Lock' and datname = current_database()
            """
        while try count(waiting) == 0 { await Task.yield() }
    }
}
