import Consent
import Store

/// Random commands about a few persons whom stores know by a few ids: every order of rescissions, registrations, signatures,
/// approvals, returns and repeats.
struct StoreCommandSource {
    var random: SplitMix
    var questions: [Identifier] = []
    var notices: [Identifier] = []
    private var sent: [StoreNotice] = []
    private var number = 0
    /// What the names of its notices begin with.
    private let prefix: String

    static let persons: [CallerID] = ["p-1", "p-2", "p-3"]
    static let ids: [CallerID] = ["a-1", "a-2", "a-3", "ren\u{e9}", "rene\u{301}"]

    init(seed: UInt64, prefix: String = "u-") {
        random = SplitMix(seed)
        self.prefix = prefix
    }

    /// `now` is about the database's present.
    mutating func next(now: Instant) -> Command {
        switch random.next() % 40 {
        case 0..<8: return .receive(notice(now))
        case 8..<14: return .register(person: random.pick(Self.persons), registration(now))
        case 14..<17:
            return .attribute(
                notification: notices.isEmpty || random.once(in: 9)
                    ? Identifier(high: 1, low: 2) : random.pick(notices),
                person: random.pick(Self.persons + ["p-9"]))
        case 17..<24:
            return .ask(
                AskRequest(
                    person: random.pick(Self.persons),
                    topic: .custom(subject: random.pick(["s-1", "s-2", "s-3"]), reusable: true),
                    description: "May I?", quorum: random.pick([nil, 2])))
        case 24..<35:
            return .answer(
                question: questions.isEmpty ? Identifier(high: 1, low: 1) : random.pick(questions.suffix(6)),
                AnswerRequest(
                    guardian: random.pick(["g-1", "g-2"]), kind: random.pick([.approval, .approval, .denial])))
        case 35: return .rescind(person: random.pick(Self.persons), .person, reason: nil)
        case 36: return .reinstate(person: random.pick(Self.persons))
        default:
            let original = OriginalVersion(value: "1.\(random.next() % 3)", kind: .build, environment: .production)
            return .putPerson(
                random.pick(Self.persons), PersonFacts(original: random.pick([nil, original])), .none)
        }
    }

    private mutating func account() -> StoreAccount {
        StoreAccount(
            store: random.once(in: 5) ? .playStore : .appStore,
            environment: random.once(in: 4) ? .sandbox : .production, id: random.pick(Self.ids))
    }

    /// Around the present, near enough for the margin to matter.
    private mutating func moment(_ now: Instant) -> Instant {
        Instant(microseconds: now.microseconds + random.pick([-90_000, -4_000, -1_000, -200, -20, 3_000]) * 1_000)
    }

    private mutating func notice(_ now: Instant) -> StoreNotice {
        if !sent.isEmpty, random.once(in: 3) { return random.pick(sent.suffix(10)) }
        number += 1
        let account = account()
        let why = Quarantine(reason: "bundleIdMismatch", field: "bundleId", expected: "a", seen: "b")
        let judgement: StoreNotice.Judgement =
            switch random.next() % 6 {
            case 0: .information(about: random.pick([nil, account]))
            case 1: .quarantine(why)
            default: .rescission(of: account)
            }
        let uuid = "\(prefix)\(random.once(in: 5) ? number - 1 : number)"
        let notice = StoreNotice(
            store: account.store, uuid: uuid, identity: Array(uuid.utf8),
            type: random.pick(["RESCIND_CONSENT", "DID_RENEW", "NEW", nil]), subtype: random.pick([nil, "VOLUNTARY"]),
            environment: account.environment, signedDate: random.pick([nil, moment(now), moment(now)]),
            judgement: judgement, payload: Array("{\"n\":\(number)}".utf8))
        sent.append(notice)
        return notice
    }

    private mutating func registration(_ now: Instant) -> AccountRegistration {
        let account = account()
        let isSigned = random.once(in: 2)
        return AccountRegistration(
            account: account, signedAt: isSigned ? moment(now) : nil,
            original: isSigned
                ? OriginalVersion(
                    value: "1.\(random.next() % 4)", kind: .build, environment: account.environment) : nil,
            platform: isSigned ? random.pick(["iOS", "macOS"]) : nil)
    }
}
