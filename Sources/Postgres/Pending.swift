/// What a handler decided for a batch inside the open transaction, and what has yet to be written for it to hold.
package struct Pending<Decision> {
    /// When the transaction is committed, as seen from the writes.
    package enum Commit: Sendable {
        /// In the same flight as the writes: one round trip; `check` sees the results after the commit.
        case withWrites
        /// In a flight of its own once `check` has passed: for writes whose results decide whether they may stand.
        case afterCheck
    }

    package let decision: Decision
    /// The transaction's id (`pg_current_xact_id()`), asked about when the answer to the commit is lost.
    package let transaction: UInt64?
    /// The writing statements, without a commit; nil when nothing is to be written, and the transaction is rolled back.
    package let writes: Flight?
    package let commit: Commit

    package init(_ decision: Decision, transaction: UInt64?, writes: Flight?, commit: Commit = .withWrites) {
        self.decision = decision
        self.transaction = transaction
        self.writes = writes
        self.commit = commit
    }
}
