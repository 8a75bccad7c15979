package import Consent

/// A right to open one stream of an app's log, once and soon, without a key; what is kept of it does not let anybody in.
package struct StreamTicket: Sendable, Hashable {
    /// For how many seconds it can be used.
    package static let lifetime: Int64 = 60

    /// SHA-256 of its text, 32 bytes.
    package let hash: [UInt8]
    /// The key that asked for it, or that made the token which did: the stream ends when that is revoked.
    package let key: Identifier
    /// Where a token asked for it: what its subject may know.
    package let token: TokenTerms?
    /// What of the log the stream brings; what is nil does not matter.
    package let personRef: Identifier?
    package let question: Identifier?
    package let types: [EventType]?

    package init(
        hash: [UInt8], key: Identifier, token: TokenTerms? = nil, personRef: Identifier? = nil,
        question: Identifier? = nil,
        types: [EventType]? = nil
    ) {
        self.hash = hash
        self.key = key
        self.token = token
        self.personRef = personRef
        self.question = question
        self.types = types
    }
}

/// What a token makes of a stream.
package struct TokenTerms: Sendable, Hashable {
    /// Names the token's subject: whose streams are counted together.
    package let holder: Identifier
    /// The guardian who reads; nil for a person's token, whose ticket says which person or question.
    package let guardian: CallerID?
    /// When the token ends, and the stream with it.
    package let endsAt: Instant

    package init(holder: Identifier, guardian: CallerID?, endsAt: Instant) {
        self.holder = holder
        self.guardian = guardian
        self.endsAt = endsAt
    }
}

/// A ticket that was good until now, with its person as callers know them; nil where they were erased meanwhile.
package struct UsedTicket: Sendable, Hashable {
    package let ticket: StreamTicket
    package let person: CallerID?
    /// When it was used.
    package let at: Instant

    package init(_ ticket: StreamTicket, person: CallerID?, at: Instant) {
        self.ticket = ticket
        self.person = person
        self.at = at
    }
}
