import Consent
import Store

/// Random commands about a few persons, guardians, subjects and changes, so that they meet each other all the time.
struct CommandSource {
    var random: SplitMix
    /// Questions asked so far, for the commands that need one.
    var questions: [Identifier] = []
    var keys: [Identifier] = []
    /// Revisions as last seen, for items of many answers.
    var revisions: [Identifier: Int] = [:]
    /// Whom the commands are about.
    var persons = Self.persons
    /// Whether the app's policy changes too.
    let changesPolicy: Bool
    /// What is still to come of a scene, and whom it is about.
    private var scene: ArraySlice<Line> = []
    var actor: CallerID = "p-1"

    // Two of the persons differ only in how an accent is composed.
    static let persons: [CallerID] = ["p-1", "p-2", "ren\u{e9}", "rene\u{301}"]
    static let guardians: [CallerID] = ["g-1", "g-2", "g-3"]
    static let changes: [CallerID] = ["c-1", "c-2", "c-4"]
    static let storefronts: [Storefront] = ["USA", "DEU"].compactMap { Storefront($0) }

    init(seed: UInt64, changesPolicy: Bool) {
        random = SplitMix(seed)
        self.changesPolicy = changesPolicy
    }

    mutating func note(_ reply: Reply) {
        if let question = reply.question { note(question) }
        for item in reply.askedItems ?? [] { if let question = item.question { note(question) } }
    }

    mutating func note(_ question: Question) {
        if revisions.updateValue(question.revision, forKey: question.id) == nil { questions.append(question.id) }
    }

    /// `now` is about the database's present.
    mutating func next(now: Instant) -> Command {
        if let line = scene.popFirst() { return command(line, now) }
        if random.once(in: 30) {
            scene = random.pick(Self.scenes)[...]
            actor = random.pick(persons)
        }
        switch random.next() % 100 {
        case 0..<4: return .askAll(allRequest(now))
        case 4..<26: return .ask(request(now))
        case 26..<50: return .answer(question: question(), answer())
        case 50..<55: return answerMany()
        case 55..<60: return .cancel(question: question(), by: random.pick(Canceller.allCases), reason: reason())
        case 60, 61: return .cancelWithdrawn(question: question())
        case 62..<65: return .rescind(person: random.pick(persons), scope(), reason: reason())
        case 65, 66: return .reinstate(person: random.pick(persons))
        case 67, 68: return .expire(question: question())
        case 69..<72: return .remind(question: question())
        case 72..<77: return .putPerson(random.pick(persons), facts(), precondition())
        case 77..<81: return .link(person: random.pick(persons), guardian: random.pick(Self.guardians))
        case 81..<85: return .unlink(person: random.pick(persons), guardian: random.pick(Self.guardians))
        case 85..<88:
            return .acknowledge(person: random.pick(persons), change: random.pick(Self.changes + ["c-3"]))
        case 88: return .erase(person: random.pick(persons), by: random.pick(Canceller.allCases))
        case 89..<92: return .observeAgeRating(observation(now))
        case 95 where random.once(in: 4):
            return .withdrawChange(random.pick(["c-2", "c-4", "c-9"]), reason: reason())
        case 92..<96: return .putChange(random.pick(Self.changes), change(), precondition())
        case 96: return createKey()
        case 97: return .revokeKey(keys.isEmpty ? Identifier(high: 1, low: 1) : random.pick(keys))
        default: return changesPolicy ? .putApp(settings(), precondition()) : .expire(question: question())
        }
    }

    /// Often none; else one of a few, so that they come again with the same and with other commands.
    mutating func key(for command: Command) -> IdempotencyKey? {
        guard random.once(in: 5) else { return nil }
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "\(command)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let fingerprint = (0..<32).map { UInt8(truncatingIfNeeded: hash >> UInt64($0 % 8 * 8)) }
        let name = random.once(in: 2) ? "k-\(random.next() % 12)" : "c-\(hash % 64)"
        return IdempotencyKey(scope: random.pick(["service", "token:p-1"]), key: name, fingerprint: fingerprint)
    }

    private mutating func question() -> Identifier {
        if questions.isEmpty || random.once(in: 40) { return Identifier(high: random.next(), low: random.next()) }
        // The last ones most of the time: those are where something still happens.
        return random.once(in: 5) ? random.pick(questions) : random.pick(questions.suffix(8))
    }

    private mutating func scope() -> RescissionScope {
        random.pick([.person, .change("c-1"), .change("c-2"), .change("c-3")])
    }

    private mutating func reason() -> String? { random.pick([nil, "because", "\u{1F600} ja"]) }

    private mutating func answer() -> AnswerRequest {
        AnswerRequest(
            guardian: random.pick(Self.guardians), kind: random.pick(AnswerKind.allCases), reason: reason(),
            verification: random.pick([
                nil, Verification(method: "pin", reference: nil), .init(method: "id", reference: "7"),
            ])
        )
    }

    private mutating func answerMany() -> Command {
        let items = (0...random.next() % 4).map { _ in
            let id = question()
            return AnswerItem(
                question: id, answer: answer(), revision: (revisions[id] ?? 1) + (random.once(in: 6) ? 1 : 0))
        }
        return .answerMany(person: random.pick(persons), items)
    }

    private mutating func request(_ now: Instant) -> AskRequest {
        let topic: Topic =
            switch random.next() % 6 {
            case 0, 1: .significantAppUpdate(change: random.pick(Self.changes))
            case 2: .communication(handles: random.pick([["h-1", "h-2"], ["h-2", "h-1"], ["h-1"]]))
            case 3: .purchase(product: "hat")
            case 4: .custom(subject: "stay-up", reusable: true)
            default: .custom(subject: "one-hour", reusable: false)
            }
        return AskRequest(
            person: random.pick(persons), topic: topic,
            description: topic.kind == .significantAppUpdate ? nil : "May I?", language: random.pick(["en", "de"]),
            expiration: expiration(now), quorum: random.pick([nil, nil, 1, 2]))
    }

    private mutating func allRequest(_ now: Instant) -> AskAllRequest {
        AskAllRequest(
            person: random.pick(persons), language: random.pick([nil, "de"]), expiration: expiration(now),
            quorum: random.pick([nil, nil, nil, 2]))
    }

    private mutating func expiration(_ now: Instant) -> Instant? {
        // With a reminder a second before, what expires in little more than that can be told of soon after it is asked.
        let milliseconds: Int64? = random.pick([nil, nil, nil, 4, 15, 60, 1_010, 1_040, 86_400_000 * 366, -1])
        return milliseconds.map { Instant(microseconds: now.microseconds + $0 * 1_000) }
    }

    private mutating func facts() -> PersonFacts {
        let ages: [AgeRange] = [
            .notTold, .declined, .range(lower: 13, upper: 15, declaration: "guardianDeclared"),
            .range(lower: nil, upper: 12, declaration: nil), .range(lower: 18, upper: nil, declaration: "confirmed"),
            .range(lower: 18, upper: nil, declaration: "selfDeclared"),
            .range(lower: 16, upper: 17, declaration: "new"),
        ]
        let all = RegulatoryFeatures.features(Duty.allCases.map(\.rawValue))
        return PersonFacts(
            ageRange: random.pick(ages),
            duties: random.pick([
                .notTold, .unavailable, .unsupported, .features([]), .features(["a", "b\u{e9}"]), all, all, all,
            ]),
            original: random.pick([
                nil, OriginalVersion(value: "1.0", kind: .build, environment: .sandbox),
                OriginalVersion(value: "2.1", kind: .version, environment: .production),
                OriginalVersion(value: "2.1", kind: .version, environment: .sandbox),
            ]),
            region: random.pick([nil, "US-TX"]))
    }

    private mutating func change() -> ChangeSettings {
        ChangeSettings(
            version: "2.\(random.next() % 3)", build: random.pick([nil, "7"]), features: random.pick([nil, [], ["v"]]),
            descriptions: [
                LocalizedText(language: "de", text: "Neu \(random.next() % 3)"),
                LocalizedText(language: "en", text: "New \(random.next() % 3)"),
            ],
            effectiveFrom: random.pick([
                nil, nil, Instant(microseconds: 1_790_000_000_000_007), Instant(microseconds: 4_000_000_000_000_000),
            ]))
    }

    private mutating func precondition() -> Precondition {
        random.pick([.none, .none, .none, .exists, .absent, .revisions([1, 2, 3])])
    }

    private mutating func observation(_ now: Instant) -> AgeRatingObservation {
        let ago: Int64? = random.pick([nil, nil, 0, 40, 5_000, -3_000, -400_000])
        return AgeRatingObservation(
            scope: AgeRatingScope(
                storefront: random.pick(Self.storefronts), environment: random.pick([.production, .sandbox])),
            code: random.pick([nil, 0, 4, 9, 9, 12]),
            observedAt: ago.map { now.adding(milliseconds: -$0) })
    }

    private mutating func createKey() -> Command {
        let id = Identifier(high: random.next(), low: random.next())
        keys.append(id)
        let rateLimit = RateLimit(requests: random.pick([0, 1, 1_000_000]), seconds: random.pick([1, 3_600]))
        return .createKey(
            NewKey(
                id: id, role: .service, label: "l\u{e9}", rateLimit: rateLimit,
                secretHash: Array(repeating: 7, count: 32)))
    }

    private mutating func settings() -> AppSettings {
        let policy = Policy(
            defaultExpirationSeconds: random.pick([1, 604_800]), askAgainSeconds: random.pick([0, 0, 86_400]),
            defaultQuorum: random.pick([1, 1, 2]), requireGuardianLinks: random.once(in: 4),
            adultNotConfirmed: random.pick([.block, .acknowledge]), ageUnknown: random.pick([.block, .clear]),
            featuresUnavailable: random.pick([.block, .treatAsMinor, .clear]),
            featuresUnknown: random.pick([.block, .treatAsMinor]), sandboxExempts: random.once(in: 2),
            verificationMethods: random.pick([[], [], ["pin"]]), ageRatingOpensChange: random.once(in: 2),
            reminderSeconds: random.pick([0, 1, 1]))
        return AppSettings(
            name: "Reader", bundleID: random.pick([nil, "com.example.reader"]), appAppleID: random.pick([nil, "42"]),
            environments: random.pick([[.production], [.production, .sandbox]]),
            allowedOrigins: random.pick([[], ["https://a.example"]]), policy: policy)
    }
}
