import Synchronization

/// Reads what is handed in on a thread that runs turns, on that very thread: what came in a turn is sent when the turn is over,
/// and answered in the one after its results have come. So a read wakes no other thread and is answered where it is waited for.
///
/// Belongs to its thread. It does what goes well: what cannot be sent soon, or fails, goes to the pool's threads.
final class TurnReader<Item: Sendable>: TurnWork {
    /// An item as it was handed in.
    private struct Handed {
        let item: Item
        let cost: Int
        let arrived: MonotonicTime
        let deadline: MonotonicTime
    }

    /// One tenant's items; one batch of them is in the air at a time, so that the next is the larger.
    private final class Lane {
        let name: String
        var waiting: [Handed] = []
        var cost = 0
        var isInAir = false

        init(_ name: String) {
            self.name = name
        }
    }

    /// A batch in the air; that of no lane is the session's own.
    private struct Trip {
        var airborne: Airborne
        let then: ([ResultSet]) throws(DatabaseError) -> Course
        let lane: Lane?
        let handed: [Handed]
        let left: MonotonicTime
    }

    /// Tenants in the air at once; those of more go to the pool's threads.
    private static var laneLimit: Int { 8 }

    let core: PoolCore<Item>
    private let lender: ConnectionLender
    private let begin: ([Item]) -> Course
    private var connection: Connection?
    private var renewal = PlanRenewal(openedAt: .now)
    /// The connection did its work at least once.
    private var hasWorked = false
    private var isAllSent = true
    private var lanes: [Lane] = []
    /// In the order they were sent, which is the order they are answered in.
    private var trips: [Trip] = []

    /// `begin` says how a batch is read; see `ReadHandler.read`.
    init(_ core: PoolCore<Item>, _ lender: ConnectionLender, begin: @escaping ([Item]) -> Course) {
        self.core = core
        self.lender = lender
        self.begin = begin
    }

    /// Takes an item to read it at the end of the turn, or of a later one soon; false leaves it to the pool's threads.
    @_specialize(where Item: AnyObject)
    func take(_ item: Item, lane name: String, cost: Int, deadline: MonotonicTime) -> Bool {
        guard let connection, core.isOpen.load(ordering: .relaxed) else { return false }
        let now = MonotonicTime.now
        let limits = core.settings.limits
        let lane: Lane
        if let known = lanes.first(where: { $0.name == name }) {
            guard known.waiting.count < limits.besideCount, known.cost + cost <= limits.batchCost else { return false }
            lane = known
        } else {
            // Where sessions are shared, each flight is a transaction of its own, and the next begins when it is over.
            guard lanes.count < (connection.settings.sharesSessions ? 1 : Self.laneLimit) else { return false }
            lane = Lane(name)
            lanes.append(lane)
        }
        lane.waiting.append(Handed(item: item, cost: cost, arrived: now, deadline: deadline))
        lane.cost += cost
        return true
    }

    // MARK: Turns

    @_specialize(where Item: AnyObject)
    func beginTurn() {
        guard let connection else {
            borrow()
            return
        }
        do throws(DatabaseError) {
            try connection.takeIn()
            try bringHome(connection)
            if let oldest = trips.first, oldest.left + connection.settings.flightTimeout <= .now {
                throw DatabaseError(.timeout, detail: "no answer within the client's limit")
            }
            // Without a flight to answer the server only speaks to say goodbye.
            if connection.descriptor < 0 { throw DatabaseError(.connectionLost, detail: "closed while idle") }
            if core.interrupt.isFired { throw DatabaseError(.timeout, detail: "told to stop") }
            isAllSent = try connection.sendOn()
        } catch {
            lose(error)
        }
    }

    @_specialize(where Item: AnyObject)
    func endTurn() {
        guard let connection, !lanes.isEmpty else { return }
        do throws(DatabaseError) {
            let now = MonotonicTime.now
            if let oldest = trips.first, now.since(oldest.left) > core.settings.turnPatience {
                passOnWaiting()
            } else {
                for lane in lanes where !lane.isInAir && !lane.waiting.isEmpty { try depart(lane, at: now) }
            }
            isAllSent = try connection.sendOn()
        } catch {
            lose(error)
        }
    }

    func finish() {
        giveUp()
        lender.retire()
    }

    var descriptor: Int32 { connection?.descriptor ?? -1 }

    var limit: MonotonicTime {
        guard let connection, let oldest = trips.first else { return .never }
        if !isAllSent { return .now + .milliseconds(1) }
        let hasWaiting = lanes.contains { !$0.waiting.isEmpty }
        return oldest.left + (hasWaiting ? core.settings.turnPatience : connection.settings.flightTimeout)
    }

    private func borrow() {
        connection = lender.borrow()
        renewal = PlanRenewal(openedAt: .now)
        hasWorked = false
        isAllSent = true
    }

    // MARK: Flights

    @_specialize(where Item: AnyObject)
    private func depart(_ lane: Lane, at now: MonotonicTime) throws(DatabaseError) {
        var handed = lane.waiting
        lane.waiting = []
        lane.cost = 0
        if handed.contains(where: { $0.deadline <= now }) {
            core.fail(handed.filter { $0.deadline <= now }.map(\.item), .expired)
            handed.removeAll { $0.deadline <= now }
        }
        guard !handed.isEmpty else { return settle(lane) }
        lane.isInAir = true
        try fly(begin(handed.map(\.item)), lane, handed, since: now)
    }

    /// Sends what is next on a batch's way, or ends it.
    private func fly(
        _ course: Course, _ lane: Lane?, _ handed: [Handed], since left: MonotonicTime
    ) throws(DatabaseError) {
        guard let connection else { return }
        switch course {
        case .flight(let flight, let then):
            let airborne: Airborne
            do throws(DatabaseError) {
                airborne = try connection.send(flight)
            } catch {
                passOn(handed, lane)
                throw error
            }
            trips.append(Trip(airborne: airborne, then: then, lane: lane, handed: handed, left: left))
        case .end:
            hasWorked = true
            guard let lane else { return }
            settle(lane)
            if let first = handed.first {
                let took = MonotonicTime.now.since(left)
                core.observe(.batch(items: handed.count, waited: left.since(first.arrived), took: took))
            }
            try renewPlans(connection)
        }
    }

    /// Goes on with those whose results have come.
    @_specialize(where Item: AnyObject)
    private func bringHome(_ connection: Connection) throws(DatabaseError) {
        while !trips.isEmpty {
            let next: Course
            do throws(DatabaseError) {
                guard let results = try connection.collect(&trips[0].airborne) else { return }
                next = try trips[0].then(results)
            } catch {
                guard !error.needsNewConnection, connection.descriptor >= 0 else { throw error }
                // Refused: the session is well, and a thread finds out which of the batch it was.
                let trip = trips.removeFirst()
                passOn(trip.handed, trip.lane)
                if let lane = trip.lane { settle(lane) }
                continue
            }
            let trip = trips.removeFirst()
            try fly(next, trip.lane, trip.handed, since: trip.left)
        }
    }

    private func renewPlans(_ connection: Connection) throws(DatabaseError) {
        let settings = connection.settings
        guard settings.indexPlansOnly, !settings.sharesSessions, renewal.isDue(at: .now) else { return }
        var flight = Flight()
        flight.add(ConnectionKeeper.discardPlans)
        try fly(.flight(flight) { _ in .end }, nil, [], since: .now)
    }

    // MARK: What the pool's threads do instead

    private func settle(_ lane: Lane) {
        lane.isInAir = false
        if lane.waiting.isEmpty { lanes.removeAll { $0 === lane } }
    }

    private func passOnWaiting() {
        for lane in lanes {
            passOn(lane.waiting, lane)
            lane.waiting = []
            lane.cost = 0
        }
        lanes.removeAll { !$0.isInAir }
    }

    /// The connection is of no use any more.
    private func lose(_ error: DatabaseError) {
        giveUp()
        lender.giveBack(error, worked: hasWorked)
    }

    /// Ends the session; everything goes to the pool's threads.
    private func giveUp() {
        connection?.close()
        connection = nil
        for trip in trips { passOn(trip.handed, trip.lane) }
        trips = []
        for lane in lanes { lane.isInAir = false }
        passOnWaiting()
    }

    private func passOn(_ handed: [Handed], _ lane: Lane?) {
        guard let lane else { return }
        for entry in handed {
            switch core.mailbox.put(entry.item, lane: lane.name, cost: entry.cost, deadline: entry.deadline) {
            case .accepted: break
            case .full: core.fail([entry.item], .unavailable(DatabaseError(.timeout, detail: "too much waits")))
            case .closed: core.fail([entry.item], .stopping)
            }
        }
    }
}
