/// What a decision about access needs of the newest question about a change, as stored.
package struct QuestionBrief: Sendable, Hashable {
    package let id: Identifier
    package let state: QuestionState
    package let expiration: Instant
    /// Whether a rescission ended it: then no answer to it counts any more.
    package let isRescinded: Bool

    package init(id: Identifier, state: QuestionState, expiration: Instant, isRescinded: Bool) {
        self.id = id
        self.state = state
        self.expiration = expiration
        self.isRescinded = isRescinded
    }

    package init(_ question: Question) {
        self.init(
            id: question.id, state: question.state, expiration: question.expiration, isRescinded: question.isRescinded)
    }
}
