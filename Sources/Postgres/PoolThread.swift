/// The work of one thread of a pool: take a batch, run it, and when it fails run it again, halve it, or give it up.
///
/// Owned by its thread.
final class PoolThread<Item: Sendable> {
    /// Items that stand or fall together.
    private struct Group {
        var entries: [Waiting<Item>]
        var retries = 0
        var losses = 0

        var items: [Item] { entries.compactMap { $0.item } }
        /// When the first of the items is late.
        var earliest: MonotonicTime { entries.reduce(.never) { min($0, $1.deadline) } }
    }

    private let core: PoolCore<Item>
    private let keeper: ConnectionKeeper
    private let attempt: ([Item], ConnectionKeeper, Connection) -> Verdict
    private var backoff = Backoff(first: .milliseconds(10), limit: .milliseconds(100))

    /// `attempt` runs items once on the connection the keeper holds.
    init(
        _ core: PoolCore<Item>, attempt: @escaping ([Item], ConnectionKeeper, Connection) -> Verdict
    ) {
        self.core = core
        self.attempt = attempt
        keeper = ConnectionKeeper(
            core.settings.connection, core.interrupt, core.connections, observe: core.observe)
    }

    /// Works until the mailbox is closed and empty, or until interrupted.
    @_specialize(where Item: AnyObject)
    func run() {
        let isPointless = { [core] in core.mailbox.isFinished }
        while keeper.connected(until: .never, unless: isPointless) != nil {
            switch core.mailbox.take(until: .now + .seconds(1)) {
            case .closed: return
            case .idle: keeper.checkIdle()
            case .batch(let batch):
                work(batch)
                core.mailbox.done(batch)
            }
        }
    }

    private func work(_ batch: Batch<Item>) {
        let taken = MonotonicTime.now
        let waited = batch.entries.first.map { taken.since($0.arrived) } ?? .zero
        backoff.reset()
        var answered = 0
        // A stack: halves are run in the order of their items.
        var groups = [Group(entries: batch.entries)]
        while var group = groups.popLast() {
            guard dropLate(&group), let connection = connection(for: &group) else { continue }
            switch attempt(group.items, keeper, connection) {
            case .told:
                keeper.worked()
                answered += group.entries.count
            case .again(let error):
                keeper.worked()
                again(group, error, &groups)
            case .lost(let error):
                keeper.lost(connection, error)
                lost(group, error, &groups)
            case .refused(let error):
                if connection.isOpen { keeper.worked() } else { keeper.lost(connection, error) }
                if !halve(group, error, &groups) {
                    // A statement that took too long says that the database is slow, not that it was wrong.
                    fail(group, error.isCancellation ? .unavailable(error) : .poisoned(error))
                }
            case .unknown:
                fail(group, .outcomeUnknown)
            }
        }
        if answered > 0 {
            core.observe(.batch(items: answered, waited: waited, took: MonotonicTime.now.since(taken)))
        }
    }

    /// Waits for a connection as long as an item of the group has time left.
    private func connection(for group: inout Group) -> Connection? {
        while true {
            if let connection = keeper.connected(until: group.earliest) { return connection }
            if core.interrupt.isFired {
                fail(group, .stopping)
                return nil
            }
            guard dropLate(&group) else { return nil }
        }
    }

    /// Gives up the items whose time has passed; false when none is left.
    private func dropLate(_ group: inout Group) -> Bool {
        let now = MonotonicTime.now
        if group.earliest <= now {
            var late = group
            late.entries = group.entries.filter { $0.deadline <= now }
            group.entries.removeAll { $0.deadline <= now }
            fail(late, .expired)
        }
        return !group.entries.isEmpty
    }

    private func again(_ group: Group, _ error: DatabaseError, _ groups: inout [Group]) {
        var group = group
        group.retries += 1
        if group.retries <= core.settings.retries {
            core.observe(.retried(error))
            core.interrupt.sleep(for: backoff.next())
            groups.append(group)
        } else if !halve(group, error, &groups) {
            fail(group, error.isIntegrityViolation ? .poisoned(error) : .unavailable(error))
        }
    }

    private func lost(_ group: Group, _ error: DatabaseError, _ groups: inout [Group]) {
        var group = group
        group.losses += 1
        if group.losses < core.settings.losses {
            core.observe(.retried(error))
            groups.append(group)
        } else if !halve(group, error, &groups) {
            fail(group, .unavailable(error))
        }
    }

    /// Puts both halves where the group was; false when it is a single item. Each half has one try left of those that
    /// the whole has used up, so that finding one culprit stays a matter of few steps.
    private func halve(_ group: Group, _ error: DatabaseError, _ groups: inout [Group]) -> Bool {
        guard group.entries.count > 1 else { return false }
        core.observe(.halved(items: group.entries.count, error))
        let middle = group.entries.count / 2
        for entries in [group.entries[middle...], group.entries[..<middle]] {
            groups.append(
                Group(
                    entries: Array(entries), retries: min(group.retries, core.settings.retries),
                    losses: min(group.losses, core.settings.losses - 1)))
        }
        return true
    }

    private func fail(_ group: Group, _ failure: BatchFailure) {
        core.fail(group.items, failure)
    }
}
