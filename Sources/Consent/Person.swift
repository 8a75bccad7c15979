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
    /// When the rescission took effect that holds; nil while none does.
    package var rescindedAt: Instant?
    /// When the household was last said to be back, whether or not anything had been taken back.
    package var returnedAt: Instant?
    /// Linked guardians in byte order; empty where only the person's own columns were read.
    package var guardians: [CallerID]

    package init(
        id: CallerID, ref: Identifier, facts: PersonFacts, revision: Int, createdAt: Instant, updatedAt: Instant,
        everLinked: Bool, rescindedAt: Instant? = nil, returnedAt: Instant? = nil, guardians: [CallerID] = []
    ) {
        self.id = id
        self.ref = ref
        self.facts = facts
        self.revision = revision
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.everLinked = everLinked
        self.rescindedAt = rescindedAt
        self.returnedAt = returnedAt
        self.guardians = guardians
    }

    /// Whether consent for the person is taken back as a whole: then nothing is asked and nothing approved.
    package var isRescinded: Bool { rescindedAt != nil }

    /// Whether the household was ever said to be back.
    package var hasReturned: Bool { returnedAt != nil }
}
