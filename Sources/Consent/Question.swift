/// A permission question put to a person's guardians, as stored: `effective(at:)` tells how it reads at a moment.
package struct Question: Sendable, Hashable {
    package let id: Identifier
    package let personRef: Identifier
    package let topic: Topic
    /// The only text a guardian reads; at most 1,000 bytes.
    package let description: String
    /// BCP 47 tag of the description, when the caller or the change gave one.
    package let language: String?
    /// How many guardians must approve; copied from the request or the policy when asked.
    package let quorum: Int
    package let expiration: Instant
    package let createdAt: Instant

    /// 1 when created, +1 for each change; with the effective state it is the ETag.
    package var revision: Int
    package var state: QuestionState
    package var everApproved: Bool
    package var resolution: Resolution?
    package var supersededBy: Identifier?
    package var updatedAt: Instant
    /// When it was told that the question would soon expire.
    package var remindedAt: Instant?
    /// Latest answer of each guardian, also where it was voided, in the order given (by revision); empty where only the
    /// question's own columns were read, and then nothing can be decided about it.
    package var latestAnswers: [GuardianAnswer]

    package init(
        id: Identifier, personRef: Identifier, topic: Topic, description: String, language: String?, quorum: Int,
        expiration: Instant, createdAt: Instant, revision: Int = 1, state: QuestionState = .pending,
        everApproved: Bool = false, resolution: Resolution? = nil, supersededBy: Identifier? = nil,
        updatedAt: Instant? = nil, remindedAt: Instant? = nil, latestAnswers: [GuardianAnswer] = []
    ) {
        self.id = id
        self.personRef = personRef
        self.topic = topic
        self.description = description
        self.language = language
        self.quorum = quorum
        self.expiration = expiration
        self.createdAt = createdAt
        self.revision = revision
        self.state = state
        self.everApproved = everApproved
        self.resolution = resolution
        self.supersededBy = supersededBy
        self.updatedAt = updatedAt ?? createdAt
        self.remindedAt = remindedAt
        self.latestAnswers = latestAnswers
    }
}
