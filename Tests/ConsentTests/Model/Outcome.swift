import Consent

/// What the caller is told of a step: the common language of the product and the record it is held against.
enum Outcome: Equatable {
    case nothing
    case voided
    case changed(EventType)
    case existing
    /// A new question; with what happened to the one before it.
    case asked(before: [EventType])
    case refused(Slug)

    enum Slug: Equatable {
        case expired, cancelled, superseded, decided, deniedRecently, notLinked, quorumUnreachable, rescinded, withdrawn
        /// A refusal that no step of the model can meet.
        case strange
    }
}

extension Outcome.Slug {
    init(_ refusal: Refusal) {
        switch refusal {
        case .questionExpired: self = .expired
        case .questionCancelled: self = .cancelled
        case .questionSuperseded: self = .superseded
        case .questionDecided: self = .decided
        case .deniedRecently: self = .deniedRecently
        case .consentRescinded: self = .rescinded
        case .changeWithdrawn: self = .withdrawn
        case .guardianNotLinked: self = .notLinked
        case .quorumUnreachable: self = .quorumUnreachable
        default: self = .strange
        }
    }
}

extension Refusal {
    /// The question that the refusal shows to the caller.
    var shown: Question? {
        switch self {
        case .questionExpired(let question), .questionCancelled(let question), .questionSuperseded(let question),
            .questionDecided(let question), .revisionChanged(let question), .consentRescinded(let question?),
            .deniedRecently(let question, until: _, now: _):
            question
        default: nil
        }
    }
}
