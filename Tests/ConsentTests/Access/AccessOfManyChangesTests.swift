import Consent
import Testing

/// Decisions about several changes at once.
@Suite struct AccessOfManyChangesTests {
    private static let minor = PersonFacts(
        ageRange: .range(lower: 13, upper: 15, declaration: "guardianDeclared"),
        duties: .features(["significantAppChangeRequiresParentalConsent"]))

    private func change(_ id: CallerID, features: [String]?) -> ChangeInEffect {
        ChangeInEffect(id: id, features: features, version: "2.0", build: nil)
    }

    private func id(_ number: Int) -> CallerID { CallerID(trusted: "c-\(number)") }

    private func decide(
        _ changes: [ChangeInEffect], _ questions: [CallerID: QuestionBrief], _ facts: PersonFacts = minor,
        isRescinded: Bool = false, acknowledged: Set<CallerID> = [], at now: Instant = AccessCase.now
    ) -> AccessDecision {
        AccessDecision.decide(
            facts, isRescinded: isRescinded, policy: Policy(), changes: changes, questions: questions,
            acknowledged: acknowledged, now: now)
    }

    @Test("of any three changes the strictest decides, and what does not clear is blocked")
    func strictest() {
        let features: [[String]?] = [["b", "a"], ["c", "b"], nil]
        for first in AccessCase.Asked.allCases {
            for second in AccessCase.Asked.allCases {
                for third in AccessCase.Asked.allCases {
                    let all = [first, second, third]
                    var questions: [CallerID: QuestionBrief] = [:]
                    for (number, asked) in all.enumerated() { questions[id(number)] = asked.brief }
                    let decision = decide(features.enumerated().map { change(id($0), features: $1) }, questions)
                    let alone = all.map { AccessCase(facts: Self.minor, policy: Policy(), asked: $0).expectedPhase }
                    let order: [AccessDecision.Phase] = [
                        .blocked, .askGuardian, .awaitingGuardian, .acknowledge, .clear,
                    ]
                    #expect(decision.phase == order.first { phase in alone.contains { $0.phase == phase } })
                    let reasons = alone.compactMap(\.reason)
                    #expect(decision.reason == (reasons.contains(.guardianRevoked) ? .guardianRevoked : reasons.first))
                    let open = zip(features, alone).filter { $1.phase != .clear }.map(\.0)
                    let names = Set(open.flatMap { $0 ?? [] }).sorted()
                    #expect(decision.blocked == (open.contains(nil) ? .app : .features(names)))
                    #expect(decision.changes.map(\.status) == all.map { $0.status() })
                    #expect(decision.validUntil == (all.contains(.pending) ? AccessCase.expiration : nil))
                }
            }
        }
    }

    @Test("an adult is kept from the features of what they have not acknowledged")
    func acknowledging() {
        let adult = PersonFacts(
            ageRange: .range(lower: 18, upper: nil, declaration: "confirmed"),
            duties: .features(["significantAppChangeRequiresAdultNotification"]))
        let changes = [change(id(0), features: ["a"]), change(id(1), features: ["b"])]
        let some = decide(changes, [:], adult, acknowledged: [id(0)])
        #expect(some.phase == .acknowledge && some.blocked == .features(["b"]) && some.reason == nil)
        #expect(some.changes.map(\.status) == [.acknowledged, .required])
        #expect(decide(changes, [:], adult, acknowledged: [id(0), id(1)]).phase == .clear)
    }

    @Test("a decision holds until the moment it names, and not at that moment")
    func validity() {
        let changes = (0..<3).map { change(id($0), features: ["f-\($0)"]) }
        func pending(_ seconds: Int64) -> QuestionBrief {
            QuestionBrief(
                id: AccessCase.questionID, state: .pending, expiration: Samples.second(seconds), isRescinded: false)
        }
        let questions = [id(0): pending(3_000), id(1): pending(2_000), id(2): pending(900)]
        let first = decide(changes, questions)
        #expect(first.validUntil == Samples.second(2_000))
        #expect(first.changes.map(\.status) == [.pending, .pending, .expired])
        #expect(decide(changes, questions, at: Samples.second(2_000).adding(microseconds: -1)) == first)
        let then = decide(changes, questions, at: Samples.second(2_000))
        #expect(then.changes.map(\.status) == [.pending, .expired, .expired])
        #expect(then.validUntil == Samples.second(3_000))
        #expect(decide(changes, questions, at: Samples.second(3_000)).validUntil == nil)
    }

    @Test("a question of an exempt change is not looked at")
    func exempt() {
        var facts = Self.minor
        facts.original = OriginalVersion(value: "2.0", kind: .version, environment: .production)
        let asked = [id(0): AccessCase.Asked.pending.brief, id(1): AccessCase.Asked.denied.brief].compactMapValues {
            $0
        }
        let decision = decide([change(id(0), features: ["a"]), change(id(1), features: nil)], asked, facts)
        #expect(decision.phase == .clear && decision.blocked == .features([]) && decision.validUntil == nil)
        #expect(decision.changes == [0, 1].map { ChangeAccess(change: id($0), status: .exempt) })
    }

    @Test("features are names of bytes: two that look alike are two, and a change that names none is the whole app")
    func features() {
        let composed = "caf\u{e9}"
        let decomposed = "cafe\u{301}"
        let decision = decide(
            [change(id(0), features: [composed]), change(id(1), features: [decomposed, composed])], [:])
        guard case .features(let names) = decision.blocked else { Issue.record("the app"); return }
        #expect(names.map { Array($0.utf8) } == [Array(decomposed.utf8), Array(composed.utf8)])
        #expect(decide([change(id(0), features: [])], [:]).blocked == .app)
    }

    @Test("ids of changes are bytes too")
    func ids() {
        let composed: CallerID = CallerID(trusted: "caf\u{e9}")
        let decomposed: CallerID = CallerID(trusted: "cafe\u{301}")
        let asked = [composed: AccessCase.Asked.approved.brief].compactMapValues { $0 }
        let decision = decide([change(composed, features: ["a"]), change(decomposed, features: ["b"])], asked)
        #expect(decision.changes.map(\.status) == [.approved, .required])
    }

    @Test("a stored question is looked at as what it is, a rescinded one too")
    func briefs() {
        var question = Samples.question()
        #expect(QuestionBrief(question).state == .pending && !QuestionBrief(question).isRescinded)
        question.state = .revoked
        question.resolution = Resolution(by: .rescission, at: Samples.start, reason: nil)
        let brief = QuestionBrief(question)
        #expect(brief.id == question.id && brief.expiration == question.expiration && brief.isRescinded)
        question.resolution = Resolution(by: .guardian(Samples.g1), at: Samples.start, reason: nil)
        #expect(!QuestionBrief(question).isRescinded)
    }

    @Test("a return before a change's own rescission does not have it asked again")
    func returnsAndRescissions() throws {
        let approved = try #require(Samples.question().approval(Samples.g1, at: Samples.second(10)).question)
        let input = QuestionInput.rescind(upTo: Samples.second(20), endsPending: true, reason: nil)
        let ended = try #require(approved.applying(input, at: Samples.second(20)).question)
        func isRescinded(_ scope: RescissionScope, returned: Int64?, ends: Bool = true) -> Bool {
            let rescission = Rescission(
                personRef: Samples.ref, number: 1, scope: scope, reason: nil, source: .service,
                effectiveAt: Samples.second(20), receivedAt: Samples.second(20), ended: ends ? [ended.id] : [],
                voided: [], freezes: scope == .person)
            return QuestionBrief(ended, returnedAt: returned.map { Samples.second($0) }, rescissions: [rescission])
                .isRescinded
        }
        for returned: Int64? in [nil, 19, 20, 21] { #expect(isRescinded(.person, returned: returned)) }
        let change = RescissionScope.change(Samples.changeID)
        #expect(!isRescinded(change, returned: nil) && !isRescinded(change, returned: 19))
        #expect(isRescinded(change, returned: 20) && isRescinded(change, returned: 21))
        #expect(isRescinded(change, returned: 19, ends: false))
    }

    @Test("of somebody the app never told of nothing is known")
    func unknownPerson() {
        let decision = AccessDecision.unknownPerson
        #expect(decision.phase == .blocked && decision.reason == .ageUnknown && decision.blocked == .app)
        #expect(decision.changes.isEmpty && decision.validUntil == nil)
    }
}
