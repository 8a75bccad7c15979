package import Consent

/// A right to open one stream of an app's log, once and soon, without a key; what is kept of it does not let anybody in.
package struct StreamTicket: Sendable, Hashable {
    /// For how many seconds it can be used.
    package static let lifetime: Int64 = 60

    /// SHA-256 of its text, 32 bytes.
    package let hash: [UInt8]
    /// The key that asked for it: the stream ends when that is revoked.
    package let key: Identifier
    /// What of the log the stream brings; what is nil does not matter.
    package let personRef: Identifier?
    package let question: Identifier?
    package let types: [EventType]?

    package init(
        hash: [UInt8], key: Identifier, personRef: Identifier? = nil, question: Identifier? = nil,
        types: [EventType]? = nil
    ) {
        self.hash = hash
        self.key = key
        self.personRef = personRef
        self.question = question
        self.types = types
    }
}

/// A ticket that was good until now, with its person as callers know them; nil where they were erased meanwhile.
package struct UsedTicket: Sendable, Hashable {
    package let ticket: StreamTicket
    package let person: CallerID?

    package init(_ ticket: StreamTicket, person: CallerID?) {
        self.ticket = ticket
        self.person = person
    }
}
