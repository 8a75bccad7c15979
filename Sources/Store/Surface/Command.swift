package import Consent

/// Something a caller wants changed in one app; decided and written in one transaction with whatever else waits.
package indirect enum Command: Sendable {
    case ask(AskRequest)
    /// Asks about every open change that a guardian decides; each is decided alone.
    case askAll(AskAllRequest)
    case answer(question: Identifier, AnswerRequest)
    /// Each item is decided alone; items of questions that are not this person's are refused as unknown.
    case answerMany(person: CallerID, [AnswerItem])
    case cancel(question: Identifier, by: Canceller, reason: String?)
    /// The sweeper's: resolves the question if its expiration has passed, else nothing.
    case expire(question: Identifier)
    /// The reminder's: tells once that the question soon expires, by the app's policy, else nothing.
    case remind(question: Identifier)
    case putPerson(CallerID, PersonFacts, Precondition)
    case link(person: CallerID, guardian: CallerID)
    case unlink(person: CallerID, guardian: CallerID)
    case acknowledge(person: CallerID, change: CallerID)
    /// A service's word that consent is taken back.
    case rescind(person: CallerID, RescissionScope, reason: String?)
    /// A service's word that the household is back.
    case reinstate(person: CallerID)
    /// Everything that a caller wrote of the person goes; `by`: who takes back what still waits.
    case erase(person: CallerID, by: Canceller)
    case putChange(CallerID, ChangeSettings, Precondition)
    /// Takes a change back; the questions that wait are cancelled afterwards, by `cancelWithdrawn`.
    case withdrawChange(CallerID, reason: String?)
    /// The withdrawals' worker's: cancels the question if it waits and its change was withdrawn, else nothing.
    case cancelWithdrawn(question: Identifier)
    /// The same worker's, once no question of the withdrawn change waits any more.
    case closeWithdrawal(CallerID)
    case observeAgeRating(AgeRatingObservation)
    /// What a store sent. The same again changes nothing, but one in quarantine is judged anew.
    case receive(StoreNotice)
    /// A store's id of the person, who is created by it; applies what waits for that id.
    case register(person: CallerID, AccountRegistration)
    /// An admin's word whom an unattributed rescission concerns: from then on its account is the person's.
    case attribute(notification: Identifier, person: CallerID)
    case putApp(AppSettings, Precondition)
    case createKey(NewKey)
    case revokeKey(Identifier)
    case webhook(WebhookCommand)
    case keepTicket(StreamTicket)
    /// By the hash of its text; whoever comes second finds it used up.
    case useTicket([UInt8])
    /// Retention's.
    case prune(Pruning)
}

/// One guardian's answer among many.
package struct AnswerItem: Sendable {
    package let question: Identifier
    package let answer: AnswerRequest
    /// The revision the guardian has seen.
    package let revision: Int

    package init(question: Identifier, answer: AnswerRequest, revision: Int) {
        self.question = question
        self.answer = answer
        self.revision = revision
    }
}

/// A key to store: its public side and the SHA-256 of its secret.
package struct NewKey: Sendable {
    package let id: Identifier
    package let role: Role
    package let label: String
    package let rateLimit: RateLimit?
    /// 32 bytes.
    package let secretHash: [UInt8]

    package init(id: Identifier, role: Role, label: String, rateLimit: RateLimit? = nil, secretHash: [UInt8]) {
        self.id = id
        self.role = role
        self.label = label
        self.rateLimit = rateLimit
        self.secretHash = secretHash
    }
}

/// What a PUT demands of the resource it replaces; judged in the transaction that writes.
package enum Precondition: Sendable, Hashable {
    case none
    /// `If-Match: *`: it must exist.
    case exists
    /// `If-Match: "3", "4"`: it must have one of these revisions.
    case revisions([Int])
    /// `If-None-Match: *`: it must not exist.
    case absent

    /// Whether a resource of this revision (nil: none) may be replaced.
    package func allows(revision: Int?) -> Bool {
        switch self {
        case .none: true
        case .exists: revision != nil
        case .revisions(let allowed): revision.map(allowed.contains) ?? false
        case .absent: revision == nil
        }
    }
}
