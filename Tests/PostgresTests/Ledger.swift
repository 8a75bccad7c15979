@testable import Postgres

/// The smallest batch handler there is: it inserts numbers into a table and refuses those that the table refuses.
struct Ledger: BatchHandler {
    struct Entry: Sendable {
        let number: Int64
        /// Refused by a CHECK constraint of the table.
        var isPoison = false
        /// Known to be refused before anything is written.
        var isUnwanted = false
        let reply: @Sendable (BatchFailure?) -> Void
    }

    let table: String
    var commit = Pending<[Entry]>.Commit.withWrites
    var before: @Sendable (Connection, [Entry]) throws(DatabaseError) -> Void = { _, _ throws(DatabaseError) in }
    var checked: @Sendable ([ResultSet]) throws(DatabaseError) -> Void = { _ throws(DatabaseError) in }

    /// What is passed off as the transaction's id.
    var claimed: @Sendable (UInt64) -> UInt64 = { $0 }

    /// Without a key: what is inserted twice is there twice.
    static func create(_ table: String, in settings: ConnectionSettings? = nil) throws {
        let connection = try Connection(settings ?? TestCluster.settings())
        try connection.execute(
            """
            drop table if exists \(table);
            create table \(table) (number int8 not null, poison bool not null constraint no_poison check (not poison))
            """)
    }

    private func parameters(_ items: [Entry]) -> Parameters {
        var parameters = Parameters()
        parameters.append(text: table)
        parameters.append(int8s: items.map(\.number))
        return parameters
    }

    func decide(_ items: [Entry], on connection: Connection) throws(DatabaseError) -> Pending<[Entry]> {
        var flight = Flight()
        flight.simple(.begin)
        let identifier = flight.add(Statement("ledger_xid", "select pg_current_xact_id()"))
        let results = try connection.run(flight)
        try before(connection, items)
        let wanted = items.filter { !$0.isUnwanted }
        var writes = Flight()
        // One table per test, so no single static text: the name goes through a function of the server.
        var parameters = parameters(wanted)
        parameters.append(bools: wanted.map(\.isPoison))
        writes.add(
            Statement(
                "ledger_insert", "select ledger_insert($1, $2, $3)", parameterTypes: [.text, .int8Array, .boolArray]),
            parameters)
        return Pending(
            items, transaction: claimed(try results[identifier][0].xid8(0)), writes: wanted.isEmpty ? nil : writes,
            commit: commit)
    }

    func landed(_ decision: [Entry], on connection: Connection) throws(DatabaseError) -> Bool {
        let result = try connection.run(
            Statement("ledger_landed", "select ledger_count($1, $2)", parameterTypes: [.text, .int8Array]),
            parameters(decision))
        return try result[0].int8(0) == Int64(decision.count)
    }

    func check(_ decision: [Entry], results: [ResultSet]) throws(DatabaseError) { try checked(results) }

    func tell(_ decision: [Entry]) {
        for entry in decision { entry.reply(nil) }
    }

    func fail(_ items: [Entry], _ failure: BatchFailure) {
        for entry in items { entry.reply(failure) }
    }

    /// The functions that insert into and count in a table given by name.
    static func prepare(_ settings: ConnectionSettings) throws(DatabaseError) {
        try Connection(settings).execute(
            """
            create or replace function ledger_insert(t text, n int8[], p bool[]) returns void language plpgsql as $$
            begin
              execute format('insert into %I select * from unnest($1, $2)', t) using n, p;
            end $$;
            create or replace function ledger_count(t text, n int8[]) returns int8 language plpgsql as $$
            declare found int8;
            begin
              execute format('select count(distinct number) from %I where number = any($1)', t) into found using n;
              return found;
            end $$
            """)
    }
}

extension WriterPool where Handler == Ledger {
    /// Hands a number in and waits for its answer: nil when it was told, `full` as unavailable.
    func write(
        _ number: Int64, isPoison: Bool = false, isUnwanted: Bool = false, lane: String = "lane",
        within limit: Duration = .seconds(30)
    ) async -> BatchFailure? {
        await withCheckedContinuation { continuation in
            let entry = Ledger.Entry(number: number, isPoison: isPoison, isUnwanted: isUnwanted) {
                continuation.resume(returning: $0)
            }
            switch submit(entry, lane: lane, deadline: .now + limit) {
            case .accepted: break
            case .full, .closed: continuation.resume(returning: .stopping)
            }
        }
    }
}

/// Sees what a pool reports.
final class Witness: Sendable {
    private let monitor = Monitor()
    private let arrival = Monitor.Condition()
    nonisolated(unsafe) private var seen: [PoolObservation] = []  // read and written under `monitor`

    func note(_ observation: PoolObservation) {
        monitor.locked {
            seen.append(observation)
            arrival.broadcast()
        }
    }

    var all: [PoolObservation] { monitor.locked { seen } }

    func count(_ isMatch: (PoolObservation) -> Bool) -> Int {
        monitor.locked { seen.filter(isMatch).count }
    }

    /// Waits for one, on a thread of its own; false when half a minute passes first.
    func sees(_ isMatch: @escaping @Sendable (PoolObservation) -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            _ = DedicatedThread.run("witness") { [self] in continuation.resume(returning: waits(for: isMatch)) }
        }
    }

    private func waits(for isMatch: (PoolObservation) -> Bool) -> Bool {
        let limit = MonotonicTime.now + .seconds(30)
        monitor.lock()
        defer { monitor.unlock() }
        while !seen.contains(where: isMatch) {
            if limit <= .now { return false }
            monitor.wait(for: arrival, until: limit)
        }
        return true
    }
}
