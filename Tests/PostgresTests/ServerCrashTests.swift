import Glibc
import Testing

@testable import Postgres

/// The server is killed under load: whoever was told is in the table, once, and service is back soon after it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ServerCrashTests {
    /// What clients were told.
    final class Told: Sendable {
        private let monitor = Monitor()
        nonisolated(unsafe) private var told: [Int64] = []  // under `monitor`
        nonisolated(unsafe) private var lost: [Int64] = []  // under `monitor`
        nonisolated(unsafe) private var times: [MonotonicTime] = []  // under `monitor`

        func note(_ number: Int64, _ failure: BatchFailure?) {
            monitor.locked {
                if failure == nil {
                    told.append(number)
                    times.append(.now)
                } else {
                    lost.append(number)
                }
            }
        }

        var all: [Int64] { monitor.locked { told } }
        var count: Int { monitor.locked { told.count } }
        var failures: Int { monitor.locked { lost.count } }

        /// The first answer given after `time`.
        func first(after time: MonotonicTime) -> MonotonicTime? {
            monitor.locked { times.first { $0 > time } }
        }
    }

    @Test func killedUnderLoad() async throws {
        let cluster = try EmbeddedCluster.start(.disposable())
        defer { cluster.stop() }
        let settings = try ConnectionSettings(url: cluster.connectionString)
        try Ledger.prepare(settings)
        try Ledger.create("crash", in: settings)
        let pool = WriterPool(
            PoolSettings(settings, name: "writer", threads: 3), handler: Ledger(table: "crash"))
        let told = Told()
        let isOver = Interrupt()
        await withTaskGroup(of: Void.self) { group in
            for client: Int64 in 0..<8 {
                group.addTask {
                    var number = client
                    while !isOver.isFired {
                        told.note(number, await pool.write(number, lane: "lane \(client % 2)"))
                        number += 8
                    }
                }
            }
            group.addTask {
                for _ in 0..<4 {
                    let before = told.count
                    while told.count < before + 200 { try? await Task.sleep(for: .milliseconds(1)) }
                    guard let process = cluster.processIdentifier else { continue }
                    kill(process, SIGKILL)
                    while cluster.processIdentifier == process { try? await Task.sleep(for: .milliseconds(1)) }
                    // The moment the database is back, by somebody who only knocks.
                    while (try? Connection(settings)) == nil { try? await Task.sleep(for: .milliseconds(1)) }
                    let back = MonotonicTime.now
                    var first = told.first(after: back)
                    while first == nil {
                        try? await Task.sleep(for: .milliseconds(1))
                        first = told.first(after: back)
                    }
                    if let first { #expect(first.since(back) < .seconds(2)) }
                }
                isOver.fire()
            }
        }
        #expect(await pool.stop(within: .seconds(10)))
        let rows = try Connection(settings).run(
            Statement("crash_rows", "select number, count(*) from crash group by number"))
        var copies: [Int64: Int64] = [:]
        for row in rows { copies[try row.int8(0)] = try row.int8(1) }
        #expect(told.count > 800)
        for number in told.all { #expect(copies[number] == 1) }
        #expect(copies.values.allSatisfy { $0 == 1 })
        // Whatever else is in the table belongs to those whose outcome was left open.
        #expect(copies.count <= told.count + told.failures)
    }

    /// While there is no database, items wait for their own deadlines, and the pool can be stopped.
    @Test func noDatabase() async throws {
        let settings = try ConnectionSettings(url: "host=/nowhere user=assent dbname=assent")
        let pool = WriterPool(PoolSettings(settings, name: "writer", threads: 2), handler: Ledger(table: "none"))
        #expect(!pool.isConnected)
        let start = MonotonicTime.now
        guard case .expired = await pool.write(1, within: .milliseconds(300)) else {
            Issue.record("not expired")
            return
        }
        let took = MonotonicTime.now.since(start)
        #expect(took >= .milliseconds(300) && took < .seconds(2))
        async let waiting = pool.write(2)
        while pool.depth == 0 { await Task.yield() }
        #expect(await pool.stop(within: .milliseconds(50)))
        guard case .stopping = await waiting else {
            Issue.record("not stopping")
            return
        }
    }
}
