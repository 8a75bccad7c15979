/// What came of one input to a question.
package enum Verdict: Sendable, Hashable {
    /// What was said already holds: no row, no revision, no event.
    case unchanged
    /// The question as it is now, the event that tells it, and the answer to append, if one was given.
    case changed(Question, EventType, recorded: GuardianAnswer?)
    case refused(Refusal)
}

/// What can happen to one question.
package enum QuestionInput: Sendable, Hashable {
    /// `mayAnswer`: whether the guardian may answer for this person now (see `Person.mayAnswer`).
    case answer(AnswerRequest, mayAnswer: Bool)
    case cancel(by: Canceller, reason: String?)
    /// The sweep, or anybody who looked, found the expiration passed.
    case deadline
    /// A guardian's link was taken away.
    case unlink(CallerID)
    /// The same thing was asked again, as that question.
    case supersede(by: Identifier)
}

/// Who takes a pending question back.
package enum Canceller: String, Sendable, Hashable, CaseIterable {
    case child, admin
}

/// A guardian's answer as it is posted.
package struct AnswerRequest: Sendable, Hashable {
    package let guardian: CallerID
    package let kind: AnswerKind
    package let reason: String?
    package let verification: Verification?

    package init(guardian: CallerID, kind: AnswerKind, reason: String? = nil, verification: Verification? = nil) {
        self.guardian = guardian
        self.kind = kind
        self.reason = reason
        self.verification = verification
    }
}

/// A question as it is posted.
package struct AskRequest: Sendable, Hashable {
    package let person: CallerID
    package let topic: Topic
    /// Nil for a change: then the change's own text is taken.
    package let description: String?
    package let language: String?
    package let expiration: Instant?
    package let quorum: Int?

    package init(
        person: CallerID, topic: Topic, description: String? = nil, language: String? = nil,
        expiration: Instant? = nil, quorum: Int? = nil
    ) {
        self.person = person
        self.topic = topic
        self.description = description
        self.language = language
        self.expiration = expiration
        self.quorum = quorum
    }
}

/// What came of asking.
package enum AskVerdict: Sendable, Hashable {
    /// A question that already stands is the answer.
    case existing(Question)
    /// Ask it anew. `before` are changes to the question asked earlier (expired by its deadline, superseded), in order;
    /// they are written with the new question or not at all.
    case create(Question, before: [EarlierChange])
    case refused(Refusal)
}

/// A change to a question asked earlier that asking anew brings with it.
package struct EarlierChange: Sendable, Hashable {
    package let question: Question
    package let event: EventType

    package init(question: Question, event: EventType) {
        self.question = question
        self.event = event
    }
}
