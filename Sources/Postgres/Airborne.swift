/// A flight that was sent: what the answers it waits for belong to, and what has come of them.
struct Airborne {
    enum Awaited {
        case preparation(of: String)
        /// Of a transaction in a shared session.
        case setup
        case result(isCommit: Bool)
    }

    let awaited: [Awaited]
    var results: [ResultSet] = []
    /// The first answer that said no; thrown once the last has come, when the session is in order again.
    var failure: DatabaseError?
    /// Which of those awaited is answered next.
    var next = 0
    /// The one answered next has had an answer, and a null is to end it.
    var hasAnswer = false

    init(_ awaited: [Awaited]) {
        self.awaited = awaited
        results.reserveCapacity(awaited.count)
    }
}
