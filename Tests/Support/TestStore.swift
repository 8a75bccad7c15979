package import Consent
package import Postgres
package import Store

/// A store over a database of its own with the app "reader" in it, and SQL beside it to look at what is really there.
package struct TestStore: Sendable {
    package let store: Store
    package let settings: ConnectionSettings
    package let app = AppID(trusted: "reader")

    /// Runs `body` with such a store and takes everything away afterwards; a few at a time, so that tests that run at
    /// once do not fight for the machine.
    package static func with<Value: Sendable>(
        _ name: String, policy: Policy = Policy(), expires: @escaping @Sendable (Instant) -> Void = { _ in },
        withdraws: @escaping @Sendable () -> Void = {}, _ body: @Sendable (TestStore) async throws -> Value
    ) async throws -> Value {
        await Turnstile.stores.enter()
        let result: Result<Value, any Error>
        do {
            result = .success(try await alone(name, policy, expires, withdraws, body))
        } catch {
            result = .failure(error)
        }
        await Turnstile.stores.leave()
        return try result.get()
    }

    private static func alone<Value: Sendable>(
        _ name: String, _ policy: Policy, _ expires: @escaping @Sendable (Instant) -> Void,
        _ withdraws: @escaping @Sendable () -> Void, _ body: @Sendable (TestStore) async throws -> Value
    ) async throws -> Value {
        let test = TestStore(try TestDatabase.make(name), expires: expires, withdraws: withdraws)
        let result: Result<Value, any Error>
        do {
            _ = try await test.run(.putApp(AppSettings(name: "Reader", policy: policy), .none))
            result = .success(try await body(test))
        } catch {
            result = .failure(error)
        }
        await test.store.stop(within: .seconds(5))
        try TestDatabase.drop(name)
        return try result.get()
    }

    /// Another store over the same or any migrated database.
    package init(
        _ settings: ConnectionSettings, writers: Int = 3, expires: @escaping @Sendable (Instant) -> Void = { _ in },
        withdraws: @escaping @Sendable () -> Void = {}
    ) {
        var storing = Store.Settings(settings)
        storing.writers = writers
        storing.readers = 2
        // So that every batch whose persons may all be new goes the short way first, and those where one is not both ways.
        storing.newcomersAfter = 0
        self.settings = settings
        store = Store(storing, expires: expires, withdraws: withdraws)
    }

    package func run(
        _ command: Command, key: IdempotencyKey? = nil, app: AppID? = nil
    ) async throws(StoreFailure) -> Reply {
        try await store.submit(Submission(app: app ?? self.app, command: command, idempotency: key))
    }

    /// The whole log of an app, however long.
    package func log(_ app: AppID? = nil) async throws -> [EventRecord] {
        var events: [EventRecord] = []
        while let page = try await store.events(app ?? self.app, .all, after: events.last?.seq ?? 0, limit: 100) {
            events += page.events
            if page.events.isEmpty { break }
        }
        return events
    }
}

// MARK: What the database really holds

extension TestStore {
    /// The first column of a query, each value as text; nulls as "null".
    package func texts(_ sql: String) throws -> [String] {
        let connection = try Connection(settings)
        defer { connection.close() }
        var flight = Flight()
        flight.add(Statement("test_texts", "select coalesce(t.c::text, 'null') from (\(sql)) as t(c)"))
        return try connection.run(flight)[0].map { try $0.text(0) }
    }

    /// Reads one number.
    package func count(_ sql: String) throws -> Int {
        Int(try texts(sql).first ?? "") ?? -1
    }

    package func execute(_ sql: String) throws {
        var patient = settings
        patient.statementTimeout = .seconds(240)
        patient.flightTimeout = .seconds(240)
        let connection = try Connection(patient)
        defer { connection.close() }
        try connection.execute(sql)
    }

    /// The database's present.
    package func now() throws -> Instant {
        Instant(
            microseconds: Int64(try count("select (extract(epoch from clock_timestamp()) * 1000000)::bigint")))
    }

    /// Every row of every table as text, to tell whether anything at all was left behind.
    package func dump() throws -> [String] {
        let tables = try texts(
            "select tablename from pg_tables where schemaname = 'public' and tablename <> 'schema_migration' order by 1"
        )
        return try texts(
            tables.map { "(select '\($0) ' || t::text from \($0) t order by t::text)" }.joined(separator: " union all ")
        )
    }
}

// MARK: Deadlines

extension TestStore {
    /// Returns once the database's clock has passed a moment that is near.
    package func pass(_ moment: Instant) async throws {
        let now = try now()
        if moment > now { try await Task.sleep(for: .microseconds(moment.microseconds - now.microseconds + 500)) }
        while try self.now() <= moment { await Task.yield() }
    }

    /// Asks something that expires very soon; again, where the machine was too slow for that.
    package func ask(
        _ person: CallerID, _ subject: CallerID, expiringIn milliseconds: Int64, quorum: Int? = nil
    ) async throws -> Question {
        while true {
            let end = Instant.present.adding(milliseconds: milliseconds)
            let reply = try await run(Samples.ask(person, subject, expiration: end, quorum: quorum))
            if let question = reply.question { return question }
        }
    }

    /// Lets questions expire now; they are still to be found pending in their rows.
    package func makeOverdue(_ questions: [Identifier]) throws {
        let ids = questions.map { "'\($0.text)'" }.joined(separator: ", ")
        try execute("update question set expiration = clock_timestamp() where id in (\(ids))")
    }
}
