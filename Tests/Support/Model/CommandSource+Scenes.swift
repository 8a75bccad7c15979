import Consent
import Store

/// Short stories that chance alone would seldom tell to their end: what matters in them comes of several commands about
/// one person, in this order.
extension CommandSource {
    enum Line {
        case adolescent
        case adult
        case link(CallerID)
        case unlink(CallerID)
        /// About something that never expires here.
        case ask(CallerID, quorum: Int)
        case askAboutChange(CallerID, quorum: Int = 1)
        /// About something that expires so soon that it can be told of almost at once.
        case askBriefly(CallerID)
        case remind
        case acknowledge(CallerID)
        /// To the question asked last.
        case answer(CallerID, AnswerKind)
        case rescind(RescissionScope)
        case reinstate
        case erase
        case register(CallerID)
        case withdraw(CallerID)
        case cancelWithdrawn
    }

    static let scenes: [[Line]] = [
        // Somebody who refused and makes it wait again, an unlink that voids their approval, and one that then comes too
        // early to be enough.
        [
            .link("g-1"), .link("g-2"), .link("g-3"), .ask("shared", quorum: 2), .answer("g-1", .denial),
            .answer("g-1", .approval), .unlink("g-1"), .answer("g-2", .approval), .answer("g-3", .approval),
            .unlink("g-3"),
        ],
        // The same with a guardian who comes back.
        [
            .link("g-1"), .link("g-2"), .ask("returned", quorum: 2), .answer("g-1", .approval), .unlink("g-1"),
            .link("g-1"), .answer("g-2", .approval), .answer("g-1", .approval), .unlink("g-2"),
            .answer("g-1", .denial),
        ],
        // What a rescission of everything ends stays so after the return, and can be asked again.
        [
            .adolescent, .reinstate, .askAboutChange("c-1"), .answer("g-1", .approval), .rescind(.person),
            .answer("g-1", .approval), .reinstate, .askAboutChange("c-1"), .answer("g-1", .approval),
        ],
        // A rescission of one change leaves the other, and voids an approval of what was denied since.
        [
            .adolescent, .reinstate, .askAboutChange("c-1"), .answer("g-1", .approval), .answer("g-2", .denial),
            .rescind(.change("c-1")), .answer("g-2", .approval), .askAboutChange("c-1"), .rescind(.change("c-2")),
        ],
        // A question that is told of before it expires, once, while its person turns out to be an adult.
        [
            .adolescent, .reinstate, .askBriefly("soon"), .remind, .adult, .acknowledge("c-1"), .acknowledge("c-1"),
            .link("g-2"), .remind, .remind, .answer("g-2", .approval),
        ],
        // A change that is withdrawn while a guardian is asked about it.
        [
            .register("c-4"), .adolescent, .reinstate, .askAboutChange("c-4", quorum: 2), .answer("g-1", .approval),
            .withdraw("c-4"), .answer("g-2", .approval), .cancelWithdrawn, .cancelWithdrawn, .askAboutChange("c-4"),
        ],
        // Somebody of whom there is much to forget, and the same id again.
        [
            .reinstate, .link("g-1"), .link("g-2"), .ask("secret", quorum: 2), .answer("g-1", .approval), .erase,
            .ask("secret", quorum: 1), .answer("g-1", .approval),
        ],
    ]

    /// Somebody about whom a guardian has been asked and another has approved, when a change is withdrawn.
    static func waiting(for change: CallerID) -> [Line] {
        [
            .adolescent, .reinstate, .link("g-1"), .link("g-2"), .askAboutChange(change, quorum: 2),
            .answer("g-1", .approval),
        ]
    }

    private var last: Identifier { questions.last ?? Identifier(high: 0, low: 0) }

    mutating func command(_ line: Line, _ now: Instant) -> Command {
        switch line {
        case .adolescent:
            let duties = RegulatoryFeatures.features(Duty.allCases.map(\.rawValue))
            return .putPerson(actor, PersonFacts(ageRange: Samples.minor.ageRange, duties: duties), .none)
        case .adult:
            let duties = RegulatoryFeatures.features(Duty.allCases.map(\.rawValue))
            return .putPerson(actor, PersonFacts(ageRange: Samples.adult.ageRange, duties: duties), .none)
        case .link(let guardian): return .link(person: actor, guardian: guardian)
        case .unlink(let guardian): return .unlink(person: actor, guardian: guardian)
        case .ask(let subject, let quorum):
            return .ask(
                AskRequest(
                    person: actor, topic: .custom(subject: subject, reusable: false), description: "May I?",
                    language: nil, expiration: now.adding(milliseconds: 86_400_000), quorum: quorum))
        case .askAboutChange(let change, let quorum):
            return .ask(
                AskRequest(
                    person: actor, topic: .significantAppUpdate(change: change), description: nil, language: "de",
                    expiration: now.adding(milliseconds: 86_400_000), quorum: quorum))
        case .askBriefly(let subject):
            return .ask(
                AskRequest(
                    person: actor, topic: .custom(subject: subject, reusable: false), description: "May I?",
                    language: nil, expiration: now.adding(milliseconds: 1_004), quorum: 1))
        case .remind: return .remind(question: last)
        case .acknowledge(let change): return .acknowledge(person: actor, change: change)
        case .answer(let guardian, let kind):
            return .answer(
                question: last,
                AnswerRequest(
                    guardian: guardian, kind: kind, reason: nil,
                    verification: Verification(method: "pin", reference: nil)))
        case .rescind(let scope): return .rescind(person: actor, scope, reason: "moved")
        case .reinstate: return .reinstate(person: actor)
        case .erase: return .erase(person: actor, by: .child)
        case .register(let change): return .putChange(change, Samples.change, .none)
        case .withdraw(let change): return .withdrawChange(change, reason: "never mind")
        case .cancelWithdrawn: return .cancelWithdrawn(question: last)
        }
    }
}
