import Consent
import Postgres

/// Commands about tickets for streams.
extension BatchState {
    mutating func keep(_ ticket: StreamTicket) -> Reply {
        let end = now.adding(seconds: StreamTicket.lifetime)
        tickets.new.append((ticket, end))
        return .done(.ticket(expiresAt: end))
    }

    mutating func use(ticket hash: [UInt8]) -> Reply {
        // Whoever comes second in the batch finds it gone.
        guard let held = tickets.held.removeValue(forKey: hash), held.expiresAt > now,
            held.ticket.token.map({ $0.endsAt > now }) ?? true
        else { return .done(.used(nil)) }
        tickets.used.append(hash)
        return .done(.used(UsedTicket(held.ticket, person: held.person, at: now)))
    }
}

/// The tickets that a batch holds, and what it does to them.
struct BatchTickets {
    var held: [[UInt8]: HeldTicket] = [:]
    var new: [(ticket: StreamTicket, end: Instant)] = []
    var used: [[UInt8]] = []
    /// Tickets to take away: those that could be used until a moment, at most so many.
    var pruned: [(until: Instant, limit: Int)] = []

    var isEmpty: Bool { new.isEmpty && used.isEmpty && pruned.isEmpty }

    func add(_ app: AppID, to flight: inout Flight) {
        for (ticket, end) in new {
            flight.add(StreamTicketTable.insert, StreamTicketTable.insertion(app, ticket, until: end))
        }
        if !used.isEmpty {
            var binds = Parameters()
            binds.append(app)
            binds.column(used, of: .bytea) { $0.append(bytes: $1) }
            flight.add(StreamTicketTable.use, binds)
        }
        for (until, limit) in pruned {
            var binds = Parameters()
            binds.append(app)
            binds.append(until)
            binds.append(int8: Int64(limit))
            flight.add(StreamTicketTable.prune, binds)
        }
    }
}
