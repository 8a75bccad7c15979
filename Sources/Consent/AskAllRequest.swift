/// The wish to ask a person's guardians about everything that is open, as it is posted; what it gives counts for each
/// question that comes of it.
package struct AskAllRequest: Sendable, Hashable {
    package let person: CallerID
    /// Of the changes' texts; nil: what `preferredLanguages` say.
    package let language: String?
    package let expiration: Instant?
    package let quorum: Int?
    /// As in `AskRequest`.
    package var preferredLanguages: [String]
    /// As in `AskRequest`.
    package var personRef: Identifier?

    package init(
        person: CallerID, language: String? = nil, expiration: Instant? = nil, quorum: Int? = nil,
        preferredLanguages: [String] = []
    ) {
        self.person = person
        self.language = language
        self.expiration = expiration
        self.quorum = quorum
        self.preferredLanguages = preferredLanguages
    }

    /// The same wish about one change.
    package func request(about change: CallerID) -> AskRequest {
        AskRequest(
            person: person, topic: .significantAppUpdate(change: change), language: language, expiration: expiration,
            quorum: quorum, preferredLanguages: preferredLanguages)
    }
}
