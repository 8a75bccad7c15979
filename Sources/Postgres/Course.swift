/// The way of a batch: a flight and where its results lead, or the end.
///
/// A handler says what is next instead of waiting for it, so that the same handler serves a thread that waits for each flight
/// and one that has other things to do meanwhile.
package enum Course {
    /// Send this, without transaction control of its own, and go on with its results. A flight that fails ends the way.
    case flight(Flight, then: ([ResultSet]) throws(DatabaseError) -> Course)
    case end
}

extension Connection {
    /// Goes the whole way and waits for every flight on it.
    func follow(_ course: Course) throws(DatabaseError) {
        var course = course
        while case .flight(let flight, let then) = course { course = try then(try run(flight)) }
    }
}
