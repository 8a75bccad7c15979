import Glibc

/// Where items of all requests wait for the few threads that own a connection.
///
/// Its mutex owns its state; any thread may call it. Items stand in lanes (one per tenant) and lanes take turns; normal
/// items go before low ones, yet every few turns a low one goes first, so that neither starves.
package final class Mailbox<Item: Sendable>: @unchecked Sendable {  // sound: all state is read under `monitor`
    /// What a call to `take` found.
    enum Taken {
        case batch(Batch<Item>)
        /// Nothing came within the limit.
        case idle
        /// Nothing will come any more.
        case closed
    }

    /// Low batches go first once they have been passed over this often in a row.
    private static var patience: Int { 8 }
    /// So long after a batch of several items more are expected.
    private static var bustle: Duration { .milliseconds(1) }

    private let limits: MailboxLimits
    let monitor = Monitor()
    private let arrival = Monitor.Condition()
    let lateness = Monitor.Condition()
    private let stillness = Monitor.Condition()

    var lanes: [String: Lane<Item>] = [:]
    private var normalTurns = Queue<Lane<Item>>()
    private var lowTurns = Queue<Lane<Item>>()
    /// Lanes whose normal items wait for company.
    private var gathering: [Lane<Item>] = []
    /// When a waiting thread will look at those; the others sleep.
    private var looksAt = MonotonicTime.never
    private var passedOver = 0
    private var lowInHand = 0
    private var inHand = 0
    private var nextSequence: UInt64 = 1
    var live = 0
    private var isClosed = false
    /// Until when threads that take few items let others run first.
    private var busyUntil = MonotonicTime(nanoseconds: 0)
    /// Items whose deadline has passed, on their way to whoever watches.
    var late: [Item] = []
    /// When the watcher has to look next.
    var nextDeadline = MonotonicTime.never
    var isWatchOver = false

    package init(_ limits: MailboxLimits = MailboxLimits()) {
        self.limits = limits
    }

    /// Hands an item in. It leaves by being taken, cancelled, or handed to the watcher once its deadline has passed.
    // Every item in use is an object. Compiled for those as well, since other rooms fill the type in and nothing else could be.
    @_specialize(where Item: AnyObject)
    package func put(
        _ item: Item, lane name: String, cost: Int = 1, priority: Priority = .normal,
        deadline: MonotonicTime = .never
    ) -> Admission {
        let arrived = MonotonicTime.now
        monitor.lock()
        defer { monitor.unlock() }
        guard !isClosed else { return .closed }
        let isLow =
            switch priority {
            case .normal: false
            case .low: true
            }
        // Background work may fill half of the room at most, so that it never costs a caller a place.
        let share = isLow ? 2 : 1
        let known = lanes[name]
        guard live < limits.capacity / share, known?.live ?? 0 < limits.laneCapacity / share else { return .full }
        let lane = known ?? Lane(name)
        if known == nil { lanes[name] = lane }
        let entry = Waiting(
            item: item, sequence: nextSequence, cost: max(cost, 0), arrived: arrived, deadline: deadline)
        nextSequence += 1
        if isLow { lane.low.append(entry) } else { lane.normal.append(entry) }
        lane.stirred = arrived
        live += 1
        enrol(lane)
        if deadline < nextDeadline {
            nextDeadline = deadline
            lateness.signal()
        }
        return .accepted(Ticket(lane: name, sequence: entry.sequence, isLow: isLow))
    }

    /// Takes a waiting item back; nil when it is already in hand or gone.
    @discardableResult
    package func cancel(_ ticket: Ticket) -> Item? {
        monitor.lock()
        defer { monitor.unlock() }
        guard let lane = lanes[ticket.lane] else { return nil }
        let item = ticket.isLow ? lane.low.remove(ticket.sequence) : lane.normal.remove(ticket.sequence)
        if item != nil { forget(1, of: lane) }
        return item
    }

    /// Waits for the items of one lane, at most as many and as costly as the limits say.
    func take(until limit: MonotonicTime) -> Taken {
        monitor.lock()
        defer { monitor.unlock() }
        while true {
            letOthersHandIn()
            let gathered = endGathering()
            if let batch = nextBatch() {
                // Whoever sleeps looks after what gathers now.
                if gathered < looksAt { arrival.signal() }
                return .batch(batch)
            }
            if isClosed, live == 0 { return .closed }
            if limit <= .now { return .idle }
            if gathered < looksAt {
                looksAt = gathered
                monitor.wait(for: arrival, until: min(limit, gathered))
                if looksAt == gathered { looksAt = .never }
            } else {
                monitor.wait(for: arrival, until: limit)
            }
        }
    }

    /// Says that a taken batch is done with.
    func done(_ batch: Batch<Item>) {
        monitor.lock()
        defer { monitor.unlock() }
        inHand -= 1
        if batch.isLow {
            lowInHand -= 1
            // Lanes passed over because too many low batches were in hand.
            if !lowTurns.isEmpty { arrival.signal() }
        }
        if let lane = lanes[batch.lane] {
            lane.inHand -= 1
            if !batch.isLow, batch.entries.count > 1 {
                if limits.gathering > .zero {
                    lane.stirred = .now
                    lane.gathersUntil = lane.stirred + limits.gathering
                }
                if limits.yields > 0 { busyUntil = .now + Self.bustle }
            }
            enrol(lane)
            forget(0, of: lane)
        }
        if inHand == 0, live == 0 { stillness.broadcast() }
    }

    /// From now on nothing is taken in; what waits is still handed out.
    package func close() {
        monitor.lock()
        defer { monitor.unlock() }
        isClosed = true
        arrival.broadcast()
    }

    /// Waits until nothing waits and nothing is in hand; false when `limit` passes first.
    func waitUntilStill(until limit: MonotonicTime) -> Bool {
        monitor.lock()
        defer { monitor.unlock() }
        while live > 0 || inHand > 0 {
            if limit <= .now { return false }
            monitor.wait(for: stillness, until: limit)
        }
        return true
    }

    /// Closed, and nothing waits.
    var isFinished: Bool { monitor.locked { isClosed && live == 0 } }

    /// Items that wait, not counting those in hand.
    package var depth: Int { monitor.locked { live } }

    /// Counts `count` items out of the lane and drops the lane when nothing is left of it; under the lock.
    func forget(_ count: Int, of lane: Lane<Item>) {
        live -= count
        // A dropped lane may still stand in a rotation while another bears its name.
        if lane.live == 0, lane.inHand == 0, lanes[lane.name] === lane { lanes[lane.name] = nil }
        if live == 0 {
            if isClosed { arrival.broadcast() }
            if inHand == 0 { stillness.broadcast() }
        }
    }

    /// Puts a lane into the rotations it belongs in; under the lock.
    private func enrol(_ lane: Lane<Item>) {
        guard mayTake(lane) else { return }
        if lane.isGathering {
            if lane.live == limits.gatheringCount { Turn.signal(arrival) }
        } else if lane.normal.live > 0, !lane.normal.isInRotation {
            if isWorthGathering(lane) {
                lane.isGathering = true
                gathering.append(lane)
            } else {
                lane.normal.isInRotation = true
                normalTurns.append(lane)
            }
            Turn.signal(arrival)
        }
        if lane.low.live > 0, !lane.low.isInRotation {
            lane.low.isInRotation = true
            lowTurns.append(lane)
            Turn.signal(arrival)
        }
    }

    /// Gives the lock up for as long as others want to run, a few times at most, while only few items wait.
    private func letOthersHandIn() {
        for _ in 0..<limits.yields {
            guard live > 0, live < limits.gatheringCount, !isClosed, MonotonicTime.now < busyUntil else { return }
            monitor.unlock()
            sched_yield()
            monitor.lock()
        }
    }

    /// The lane was busy a moment ago, so that more is likely to come before a batch of what waits is worth its commit.
    private func isWorthGathering(_ lane: Lane<Item>) -> Bool {
        limits.gathering > .zero && !isClosed && lane.live < limits.gatheringCount
            && MonotonicTime.now < end(of: lane)
    }

    private func end(of lane: Lane<Item>) -> MonotonicTime {
        min(lane.gathersUntil, lane.stirred + limits.gatheringPause)
    }

    /// Puts lanes that have gathered enough, or long enough, into the rotation, and says until when the others gather;
    /// under the lock.
    private func endGathering() -> MonotonicTime {
        if gathering.isEmpty { return .never }
        let due = gathering.filter { !isWorthGathering($0) }
        for lane in due { lane.isGathering = false }
        gathering.removeAll { !$0.isGathering }
        for lane in due { enrol(lane) }
        return gathering.reduce(.never) { min($0, end(of: $1)) }
    }

    private func mayTake(_ lane: Lane<Item>) -> Bool {
        lane.inHand == 0 || (lane.inHand < limits.laneConcurrency && lane.live >= limits.besideCount)
    }

    private func nextBatch() -> Batch<Item>? {
        let mayTakeLow = lowInHand < limits.lowConcurrency
        if mayTakeLow, passedOver >= Self.patience, let batch = nextBatch(isLow: true) {
            passedOver = 0
            return batch
        }
        if let batch = nextBatch(isLow: false) {
            passedOver = lowTurns.isEmpty ? 0 : passedOver + 1
            return batch
        }
        guard mayTakeLow else { return nil }
        passedOver = 0
        return nextBatch(isLow: true)
    }

    private func nextBatch(isLow: Bool) -> Batch<Item>? {
        while let lane = isLow ? lowTurns.popFirst() : normalTurns.popFirst() {
            if isLow { lane.low.isInRotation = false } else { lane.normal.isInRotation = false }
            guard mayTake(lane) else { continue }  // comes back when a batch is done or more has come
            let count = isLow ? limits.lowBatchCount : limits.batchCount
            let before = lane.live
            let now = MonotonicTime.now
            let lateBefore = late.count
            let entries =
                isLow
                ? lane.low.take(count, limits.batchCost, at: now, late: &late)
                : lane.normal.take(count, limits.batchCost, at: now, late: &late)
            if late.count > lateBefore { lateness.signal() }
            let left = before - lane.live
            guard !entries.isEmpty else {
                enrol(lane)
                forget(left, of: lane)
                continue
            }
            lane.inHand += 1
            inHand += 1
            if isLow { lowInHand += 1 }
            enrol(lane)
            forget(left, of: lane)
            return Batch(lane: lane.name, isLow: isLow, entries: entries)
        }
        return nil
    }
}
