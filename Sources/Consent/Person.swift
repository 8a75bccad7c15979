/// A person as stored, with what decisions about them rest on.
package struct Person: Sendable, Hashable {
    package let id: CallerID
    /// Our own name for the person, which tells nothing of the caller's; everything but the person's own row refers to this.
    package let ref: Identifier
    package var facts: PersonFacts
    package var revision: Int
    package let createdAt: Instant
    package var updatedAt: Instant
    /// Whether the person ever had a guardian link: then unlinked guardians never answer again.
    package var everLinked: Bool
    /// Linked guardians in byte order; empty where only the person's own columns were read.
    package var guardians: [CallerID]

    package init(
        id: CallerID, ref: Identifier, facts: PersonFacts, revision: Int, createdAt: Instant, updatedAt: Instant,
        everLinked: Bool, guardians: [CallerID] = []
    ) {
        self.id = id
        self.ref = ref
        self.facts = facts
        self.revision = revision
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.everLinked = everLinked
        self.guardians = guardians
    }
}

extension Person {
    /// Whether consent to use the app at all is taken back at present; nothing takes it back yet.
    package var isRescinded: Bool { false }

    /// Whether the household ever came back after that; nobody can be told of it yet.
    package var hasReturned: Bool { false }
}
