/// What a browser's token may be good for; each kind of subject has some of them.
package enum TokenAction: String, Sendable, Hashable, CaseIterable {
    case questionRead = "question.read"
    case questionCreate = "question.create"
    case questionCancel = "question.cancel"
    case questionAnswer = "question.answer"
    case accessRead = "access.read"
    case eventsRead = "events.read"
}

/// Whom a browser's token speaks for.
package enum TokenSubject: Sendable, Hashable {
    /// `ref`: the person as they were known when the token was made, so that it is good for nobody who gets the same id later; nil
    /// where there was no such person yet.
    case person(CallerID, ref: Identifier?)
    case guardian(CallerID)

    /// Which of the two it is.
    package enum Kind: String, Sendable, CaseIterable {
        case person, guardian

        /// What a token for one may be good for.
        package var actions: [TokenAction] {
            switch self {
            case .person: [.questionRead, .questionCreate, .questionCancel, .accessRead, .eventsRead]
            case .guardian: [.questionRead, .questionAnswer, .eventsRead]
            }
        }
    }

    package var kind: Kind {
        switch self {
        case .person: .person
        case .guardian: .guardian
        }
    }

    /// The caller's own id of whoever it is.
    package var id: CallerID {
        switch self {
        case .person(let id, ref: _), .guardian(let id): id
        }
    }
}

/// What a token allows, to whom, and until when.
package struct TokenGrant: Sendable, Hashable {
    /// Of this token alone.
    package let id: Identifier
    package let subject: TokenSubject
    package let actions: Set<TokenAction>
    /// Whole seconds since the Unix epoch, by the database's clock.
    package let issuedAt: Int64
    /// From then on it is good for nothing.
    package let expiresAt: Int64

    package init(
        id: Identifier, subject: TokenSubject, actions: Set<TokenAction>, issuedAt: Int64, expiresAt: Int64
    ) {
        self.id = id
        self.subject = subject
        self.actions = actions
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}
