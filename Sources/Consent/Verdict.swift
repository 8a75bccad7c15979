/// What came of one input to a question.
package enum Verdict: Sendable, Hashable {
    /// What was said already holds, or does not concern the question as it stands: no row, no revision, no event.
    case unchanged
    /// The question as it is now, the event that tells it, and the answer to append, if one was given.
    case changed(Question, EventType, recorded: GuardianAnswer?)
    /// Not possible; what the refusal carries is the question as it reads now.
    case refused(Refusal)
}
