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
