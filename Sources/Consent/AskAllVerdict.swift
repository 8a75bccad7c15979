/// What came of asking about everything that is open.
package enum AskAllVerdict: Sendable, Hashable {
    /// Each open change that a guardian decides, in the order the changes were given, with what came of asking about it;
    /// none where nothing is open or nobody has to be asked.
    case asked([AskedChange])
    /// Refused as a whole, for what no single change is to blame.
    case refused(Refusal)
}

/// What came of asking about one change of many.
package struct AskedChange: Sendable, Hashable {
    package let change: CallerID
    package let verdict: AskVerdict

    package init(change: CallerID, verdict: AskVerdict) {
        self.change = change
        self.verdict = verdict
    }
}
