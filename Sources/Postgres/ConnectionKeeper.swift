/// Keeps one thread connected: opens, opens again with growing waits, and follows a failover.
///
/// Owned by that thread.
final class ConnectionKeeper {
    private let settings: ConnectionSettings
    private let interrupt: Interrupt
    private let count: ConnectionCount
    private let observe: @Sendable (PoolObservation) -> Void
    private var connection: Connection?
    private var backoff = Backoff(first: .milliseconds(50), limit: .seconds(1))
    private var failures = 0
    private var host = 0
    private var renewal: PlanRenewal?

    /// What has a session's statements planned anew.
    static let discardPlans = Statement("discard_plans", "discard plans")

    init(
        _ settings: ConnectionSettings, _ interrupt: Interrupt, _ count: ConnectionCount,
        observe: @escaping @Sendable (PoolObservation) -> Void
    ) {
        self.settings = settings
        self.interrupt = interrupt
        self.count = count
        self.observe = observe
    }

    deinit {
        close()
    }

    /// The open connection, made if need be; nil when `limit` passes first, `isPointless` says so, or told to stop.
    func connected(until limit: MonotonicTime, unless isPointless: () -> Bool = { false }) -> Connection? {
        while true {
            if let connection {
                if connection.isOpen { return connection }
                lost(connection, DatabaseError(.connectionLost, detail: "found closed"))
            }
            if interrupt.isFired || isPointless() { return nil }
            // The first attempt goes at once; after that a database that takes connections only to drop them must
            // not make this spin either.
            if failures > 1 {
                let now = MonotonicTime.now
                guard limit > now else { return nil }
                guard interrupt.sleep(for: min(backoff.next(), limit.since(now))) else { return nil }
            }
            do throws(DatabaseError) {
                let opened = try Connection(settings, startingAt: host, interrupt: interrupt)
                host = opened.hostIndex
                connection = opened
                renewal = PlanRenewal(openedAt: .now)
                count.change(by: 1)
                observe(.connected(afterFailures: failures))
            } catch {
                failures += 1
                if interrupt.isFired { return nil }
                observe(.refused(error))
                if failures == 1 { failures = 2 }
            }
        }
    }

    /// Notes that this connection is gone; one that has taken its place meanwhile is kept.
    func lost(_ gone: Connection, _ error: DatabaseError) {
        guard connection === gone else { return }
        close()
        failures += 1
        observe(.lost(error))
    }

    /// Notes that the connection did its work.
    func worked() {
        isWell()
        renewPlans()
    }

    /// Notes that all is well: the next failure is the first.
    func isWell() {
        failures = 0
        backoff.reset()
    }

    /// Has the statements planned anew when that is due; a session that fails at it is found out at its next use.
    private func renewPlans() {
        guard settings.indexPlansOnly, !settings.sharesSessions, renewal?.isDue(at: .now) == true, let connection else {
            return
        }
        _ = try? connection.run(Self.discardPlans, Parameters(capacity: 0))
    }

    /// Notices, while idle, that the server has gone.
    func checkIdle() {
        guard let connection else { return }
        if connection.checkAlive() {
            isWell()
        } else {
            lost(connection, DatabaseError(.connectionLost, detail: "closed while idle"))
        }
    }

    func close() {
        guard let connection else { return }
        connection.close()
        self.connection = nil
        count.change(by: -1)
    }
}
