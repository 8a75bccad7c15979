/// What a decision about access needs of the newest question about a change, as stored.
package struct QuestionBrief: Sendable, Hashable {
    package let id: Identifier
    package let state: QuestionState
    package let expiration: Instant
    /// Whether a rescission ended it, so that no answer to it counts any more, and a return has it asked again: one for using
    /// the app at all did, or one for its change alone that the household's last return came after.
    package let isRescinded: Bool

    package init(id: Identifier, state: QuestionState, expiration: Instant, isRescinded: Bool) {
        self.id = id
        self.state = state
        self.expiration = expiration
        self.isRescinded = isRescinded
    }

    /// - Parameters:
    ///   - returnedAt: when the person's household was last said to be back.
    ///   - rescissions: those of the person that are known.
    package init(_ question: Question, returnedAt: Instant? = nil, rescissions: [Rescission] = []) {
        let outlastsReturn = rescissions.contains { rescission in
            rescission.scope.kind == .change && rescission.ended.contains(question.id)
                && returnedAt.map { $0 < rescission.effectiveAt } ?? true
        }
        self.init(
            id: question.id, state: question.state, expiration: question.expiration,
            isRescinded: question.isRescinded && !outlastsReturn)
    }
}
