package import Consent

/// A question with what it takes to show it; `question` already reads as of `readAt` (overdue is expired).
package final class QuestionRecord: Sendable {
    package let app: AppID
    /// Nil once the person was erased.
    package let person: CallerID?
    package let question: Question
    package let readAt: Instant
    /// Where its rendering is kept, when the record is one that many replies share.
    package let rendering: SharedBytes?

    package init(
        app: AppID, person: CallerID?, question: Question, readAt: Instant, rendering: SharedBytes? = nil
    ) {
        self.app = app
        self.person = person
        self.question = question
        self.readAt = readAt
        self.rendering = rendering
    }
}

/// A guardian's link to a person.
package struct GuardianLink: Sendable, Hashable {
    package let person: CallerID
    package let guardian: CallerID
    package let createdAt: Instant

    package init(person: CallerID, guardian: CallerID, createdAt: Instant) {
        self.person = person
        self.guardian = guardian
        self.createdAt = createdAt
    }
}

/// A key as authentication needs it.
package final class Credential: Sendable {
    package let key: APIKey
    /// SHA-256 of the secret, 32 bytes.
    package let secretHash: [UInt8]

    package init(key: APIKey, secretHash: [UInt8]) {
        self.key = key
        self.secretHash = secretHash
    }
}

/// One entry of an app's log.
package struct EventRecord: Sendable {
    package let app: AppID
    /// The log's current feed id; with `seq` it is the event's id.
    package let feed: String
    /// 1, 2, 3 … per app, gapless, in commit order.
    package let seq: Int64
    package let type: EventType
    package let at: Instant
    /// Nil where no person is concerned, or once they were erased.
    package let person: CallerID?
    package let personRef: Identifier?
    /// The resource's revision after the event, where it has one.
    package let revision: Int?
    package let data: EventData
    /// What a decision was made on; nil for other events, and for decisions from before it was kept.
    package let evidence: Evidence?

    package init(
        app: AppID, feed: String, seq: Int64, type: EventType, at: Instant, person: CallerID?, personRef: Identifier?,
        revision: Int?, data: EventData, evidence: Evidence? = nil
    ) {
        self.app = app
        self.feed = feed
        self.seq = seq
        self.type = type
        self.at = at
        self.person = person
        self.personRef = personRef
        self.revision = revision
        self.data = data
        self.evidence = evidence
    }
}

/// The resource an event is about, as it was right after it.
package enum EventData: Sendable, Hashable {
    /// `answer`: the answer that made the event, where one did.
    case question(Question, answer: GuardianAnswer?)
    case person(PersonFacts, rescindedAt: Instant?, revision: Int, createdAt: Instant, updatedAt: Instant)
    case rescission(Rescission)
    /// `ended`: the questions that the freeze's rescissions had ended; they stay so.
    case reinstated(ended: [Identifier])
    case erased
    case linked(guardian: CallerID)
    /// `voided`: the pending questions on which this guardian's approval counts no more.
    case unlinked(guardian: CallerID, voided: [Identifier])
    case acknowledgment(Acknowledgment)
    case change(Change)
    case ageRating(AgeRatingStep)
    /// As it was then: its status, and whom it concerned.
    case notification(StoreNotification)
    /// A store's id of a person, of which the log keeps only whose it is; `isSigned`: whether the store vouched for it.
    case account(StoreName, OriginalVersion.Environment, isSigned: Bool)
    case app(App)
    case key(APIKey)
    case webhookDisabled(WebhookDisabling)
}
