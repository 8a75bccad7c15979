/// Names a waiting item, so that it can be taken back.
package struct Ticket: Sendable, Hashable {
    let lane: String
    let sequence: UInt64
    let isLow: Bool

    /// Of an item that is in hand already.
    static let none = Ticket(lane: "", sequence: 0, isLow: false)
}

/// What became of an item handed in.
package enum Admission: Sendable {
    case accepted(Ticket)
    /// The bound in total or of the lane is reached; nothing was kept.
    case full
    /// The mailbox no longer takes anything.
    case closed
}

/// Which items go first.
package enum Priority: Sendable {
    /// Somebody waits for the answer.
    case normal
    /// Background work: yields to normal items, yet is never starved by them.
    case low
}
