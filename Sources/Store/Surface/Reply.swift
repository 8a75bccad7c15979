package import Consent

/// What a command came to, told after the commit.
package indirect enum Reply: Sendable {
    case done(Outcome)
    /// Nothing was stored. A question within the refusal is shown with `person`, read at `at`.
    case refused(Refusal, person: CallerID?, at: Instant)
    /// The same keyed request was accepted before: the status it got, and what to read for the answer.
    case replayed(status: Int, ResourceName)
}

/// What an accepted command left behind.
package enum Outcome: Sendable {
    case asked(QuestionRecord, Asked)
    /// The person, and each change that was asked about, in byte order.
    case askedAll(CallerID, [AskedItem])
    /// Answered or cancelled.
    case question(QuestionRecord)
    /// The person, and how each item fared, in the order given.
    case answers(CallerID, [AnswerItemResult])
    /// Whether the sweeper's command resolved the question.
    case expired(Bool)
    /// Whether the reminder's command told of the question.
    case reminded(Bool)
    case person(Person, created: Bool)
    case link(GuardianLink, created: Bool)
    case unlinked
    case acknowledgment(Acknowledgment, person: CallerID, created: Bool)
    case rescinded(ConsentStanding)
    case reinstated(ConsentStanding)
    case erased
    case change(Change, created: Bool)
    case ageRating(AgeRatingReport)
    /// A store's notice, or its attribution.
    case notification(StoreNotificationRecord)
    case registered(RegisteredAccount, Person, created: Bool)
    case app(App, created: Bool)
    case key(APIKey)
    case keyRevoked
    case webhook(WebhookOutcome)
    /// A ticket was kept, and until when it can be used.
    case ticket(expiresAt: Instant)
    /// Nil where there was no such ticket any more.
    case used(UsedTicket?)
    /// Housekeeping of which nothing is to be shown is done.
    case forgotten
    /// How many rows, answers not counted, retention's command took away.
    case pruned(Int)

    package enum Asked: String, Sendable {
        case created, existing

        /// The HTTP status of asking.
        package var status: Int { self == .created ? 201 : 200 }
    }

    /// The HTTP status this outcome has; stored with an idempotency key.
    package var status: Int {
        switch self {
        case .asked(_, let asked): asked.status
        case .askedAll, .question, .answers, .rescinded, .reinstated, .expired, .reminded, .forgotten, .pruned, .used,
            .notification:
            200
        case .registered(_, _, let created): created ? 201 : 200
        case .person(_, let created): created ? 201 : 200
        case .link(_, let created): created ? 201 : 200
        case .acknowledgment(_, _, let created): created ? 201 : 200
        case .change(_, let created): created ? 201 : 200
        case .ageRating(let report): report.isRecorded ? 201 : 200
        case .app(_, let created): created ? 201 : 200
        case .webhook(let outcome): outcome.status
        case .key, .ticket: 201
        case .unlinked, .erased, .keyRevoked: 204
        }
    }
}

/// How one answer among many fared.
package struct AnswerItemResult: Sendable {
    package enum Result: Sendable {
        case accepted(QuestionRecord)
        case refused(Refusal, at: Instant)
    }

    package let question: Identifier
    package let result: Result

    package init(question: Identifier, result: Result) {
        self.question = question
        self.result = result
    }
}

/// What came of asking about one change among all that are open.
package struct AskedItem: Sendable {
    package enum Result: Sendable {
        case asked(QuestionRecord, Outcome.Asked)
        case refused(Refusal, at: Instant)
    }

    package let change: CallerID
    package let result: Result

    package init(change: CallerID, result: Result) {
        self.change = change
        self.result = result
    }
}

/// What an observation of an age rating came to.
package struct AgeRatingReport: Sendable, Hashable {
    package let scope: AgeRatingScope
    package let outcome: AgeRatingOutcome
    /// What is known of the scope now; nil: nothing yet.
    package let baseline: AgeRating?
    /// The code before a change.
    package let previousCode: Int?
    /// The significant change that a change opened.
    package let change: CallerID?

    package init(
        _ scope: AgeRatingScope, _ outcome: AgeRatingOutcome, baseline: AgeRating?, previousCode: Int? = nil,
        change: CallerID? = nil
    ) {
        self.scope = scope
        self.outcome = outcome
        self.baseline = baseline
        self.previousCode = previousCode
        self.change = change
    }

    /// Whether the history has a step more.
    package var isRecorded: Bool { outcome == .baselineSet || outcome == .changed }
}

/// What a replayed request is answered from: the resource as it is now.
package enum ResourceName: Sendable, Hashable {
    case question(Identifier)
    /// Each item with its refusal's code, nil where it was accepted.
    case answers(person: CallerID, [ItemName])
    /// Each change that was asked about, with what came of it.
    case askedAll(person: CallerID, [AskedName])
    case person(CallerID)
    case link(person: CallerID, guardian: CallerID)
    case acknowledgment(person: CallerID, change: CallerID)
    case rescission(person: CallerID, RescissionScope)
    case reinstatement(person: CallerID)
    case change(CallerID)
    /// With what the observation came to.
    case ageRating(AgeRatingScope, AgeRatingOutcome, previousCode: Int?, change: CallerID?)
    case notification(Identifier)
    case account(person: CallerID, StoreAccount)
    case app
    case key(Identifier)
    case webhook(WebhookResource)
    /// A ticket whose text was shown once.
    case ticket(expiresAt: Instant)
    /// Nothing to show (204).
    case nothing

    package struct ItemName: Sendable, Hashable {
        package let question: Identifier
        package let refusal: String?

        package init(question: Identifier, refusal: String?) {
            self.question = question
            self.refusal = refusal
        }
    }

    package struct AskedName: Sendable, Hashable {
        package enum Result: Sendable, Hashable {
            case asked(Outcome.Asked)
            /// By the refusal's code.
            case refused(String)
        }

        package let change: CallerID
        package let result: Result
        /// The question that was asked or stands, or that the refusal is about.
        package let question: Identifier?

        package init(change: CallerID, result: Result, question: Identifier?) {
            self.change = change
            self.result = result
            self.question = question
        }
    }
}
