/// What came of asking.
package enum AskVerdict: Sendable, Hashable {
    /// A question that already stands is the answer.
    case existing(Question)
    /// Ask it anew. `before` are changes to the question asked earlier (expired by its deadline, superseded), in order;
    /// they are written with the new question or not at all.
    case create(Question, before: [EarlierChange])
    case refused(Refusal)
}
