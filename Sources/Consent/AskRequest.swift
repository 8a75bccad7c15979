/// A question as it is posted.
package struct AskRequest: Sendable, Hashable {
    package let person: CallerID
    package let topic: Topic
    /// Nil for a change: then the change's own text is taken.
    package let description: String?
    package let language: String?
    package let expiration: Instant?
    package let quorum: Int?
    /// Languages that whoever asks reads, the dearest first; they choose a change's text where `language` does not.
    package var preferredLanguages: [String]
    /// Whom the id must mean, where whoever asks knows them by their ref alone; anybody else is unknown to them.
    package var personRef: Identifier?

    package init(
        person: CallerID, topic: Topic, description: String? = nil, language: String? = nil,
        expiration: Instant? = nil, quorum: Int? = nil, preferredLanguages: [String] = []
    ) {
        self.person = person
        self.topic = topic
        self.description = description
        self.language = language
        self.expiration = expiration
        self.quorum = quorum
        self.preferredLanguages = preferredLanguages
    }
}
