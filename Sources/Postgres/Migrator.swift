/// Brings the schema up to date: forward only, in order, each migration in a transaction together with its record in
/// `schema_migration`, all under an advisory lock, so that of two that start at once one waits and finds it done.
///
/// Blocks; for one thread.
package struct Migrator {
    /// The advisory lock's key: the bytes of "assent".
    private static var lockKey: Int64 { 0x6173_7365_6e74 }

    private static var createTable: String {
        """
        create table if not exists schema_migration (
          number integer primary key,
          name text not null,
          checksum text not null,
          applied_at timestamptz not null default clock_timestamp()
        )
        """
    }

    private static var tableExists: Statement {
        Statement("migration_table", "select to_regclass('schema_migration') is not null")
    }

    /// What is recorded beside what we have. PostgreSQL computes the checksums: the same code on every machine.
    private static var compare: Statement {
        Statement(
            "migration_compare",
            """
            select coalesce(recorded.number, known.number), recorded.name,
                   recorded.checksum = encode(sha256(convert_to(known.sql, 'UTF8')), 'hex')
            from schema_migration recorded
            full join unnest($1::int4[], $2::text[]) as known(number, sql) on known.number = recorded.number
            order by 1
            """,
            parameterTypes: [.int4Array, .textArray])
    }

    private static var record: Statement {
        Statement(
            "migration_record",
            """
            insert into schema_migration (number, name, checksum)
            values ($1, $2, encode(sha256(convert_to($3, 'UTF8')), 'hex'))
            """,
            parameterTypes: [.int4, .text, .text])
    }

    /// How long a migration may wait for a lock: it must not hold up the traffic that queues behind it for ever.
    private static var lockTimeout: String { "10s" }

    private let settings: ConnectionSettings
    private let migrations: [Migration]
    private let limit: Duration

    /// `limit` bounds each migration and the wait for another migrator.
    package init(
        _ settings: ConnectionSettings, _ migrations: [Migration], limit: Duration = .seconds(3600)
    ) throws(MigrationError) {
        var settings = settings
        settings.applicationName += " migrate"
        settings.statementTimeout = .zero
        settings.lockTimeout = .zero
        settings.flightTimeout = limit
        self.settings = settings
        self.migrations = migrations.sorted { $0.number < $1.number }
        self.limit = limit
        for (one, next) in zip(self.migrations, self.migrations.dropFirst()) where one.number == next.number {
            throw .duplicate(one.number)
        }
    }

    /// Compares without changing anything.
    package func status() throws(MigrationError) -> MigrationStatus {
        do throws(DatabaseError) {
            let connection = try Connection(settings)
            defer { connection.close() }
            return try status(on: connection)
        } catch {
            throw .database(error)
        }
    }

    /// Applies what is pending and returns the numbers applied; throws before changing anything when the database is
    /// newer, a migration was edited, or one was added below those applied.
    @discardableResult
    package func migrate() throws(MigrationError) -> [Int32] {
        if settings.sharesSessions {
            throw .database(
                DatabaseError(
                    .cannotConnect,
                    detail: "migrations need a session of their own: name the database itself, past the pooler"))
        }
        let connection: Connection
        let status: MigrationStatus
        do throws(DatabaseError) {
            connection = try Connection(settings)
            try connection.execute("select pg_advisory_lock(\(Self.lockKey))")
            // A problem is reported before the table is made: a database that is not ours stays as it is.
            status = try self.status(on: connection)
            if status.problem == nil {
                try connection.execute("set lock_timeout = '\(Self.lockTimeout)'; \(Self.createTable)")
            }
        } catch {
            throw .database(error)
        }
        defer { connection.close() }
        if let problem = status.problem { throw problem }
        for migration in status.pending { try apply(migration, on: connection) }
        return status.pending.map(\.number)
    }

    private func apply(_ migration: Migration, on connection: Connection) throws(MigrationError) {
        do throws(DatabaseError) {
            try connection.execute("begin")
            try connection.execute(migration.sql)
        } catch {
            throw .failed(number: migration.number, name: migration.name, error)
        }
        guard connection.isInTransaction else {
            throw .leftTransaction(number: migration.number, name: migration.name)
        }
        var flight = Flight()
        var parameters = Parameters()
        parameters.append(int4: migration.number)
        parameters.append(text: migration.name)
        parameters.append(text: migration.sql)
        flight.add(Self.record, parameters)
        flight.simple(.commit)
        do throws(DatabaseError) {
            _ = try connection.run(flight)
        } catch {
            throw .failed(number: migration.number, name: migration.name, error)
        }
    }

    private func status(on connection: Connection) throws(DatabaseError) -> MigrationStatus {
        var status = MigrationStatus()
        guard try connection.run(Self.tableExists)[0].bool(0) else {
            status.pending = migrations
            return status
        }
        var parameters = Parameters()
        parameters.append(int4s: migrations.map(\.number))
        parameters.append(texts: migrations.map(\.sql))
        var known: [Int32: Migration] = [:]
        for migration in migrations { known[migration.number] = migration }
        for row in try connection.run(Self.compare, parameters) {
            let number = try row.int4(0)
            let recordedName = try row.textOrNil(1)
            switch (known[number], recordedName) {
            case (let migration?, nil):
                status.pending.append(migration)
            case (_?, let name?):
                status.applied.append(number)
                if try !row.bool(2) { status.note(.edited(number: number, name: name)) }
                if let skipped = status.pending.first {
                    status.note(.outOfOrder(number: skipped.number, name: skipped.name))
                }
            case (nil, let name):
                status.applied.append(number)
                status.note(.newer(number: number, name: name ?? ""))
            }
        }
        return status
    }
}

extension MigrationStatus {
    /// Keeps the first problem.
    fileprivate mutating func note(_ problem: MigrationError) {
        if self.problem == nil { self.problem = problem }
    }
}
