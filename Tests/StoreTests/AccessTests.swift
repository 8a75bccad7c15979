import Consent
import Store
import TestSupport
import Testing

/// Decisions about access on what the database holds.
@Suite(.timeLimit(.minutes(5))) struct AccessTests {
    private static let minor = PersonFacts(
        ageRange: .range(lower: 13, upper: 15, declaration: "guardianDeclared"),
        duties: .features(["significantAppChangeRequiresParentalConsent"]),
        original: OriginalVersion(value: "1.2", kind: .version, environment: .production))
    private static let adult = PersonFacts(
        ageRange: .range(lower: 18, upper: nil, declaration: "confirmed"),
        duties: .features(["significantAppChangeRequiresAdultNotification"]))

    private func change(_ version: String, _ features: [String]?) -> ChangeSettings {
        ChangeSettings(
            version: version, build: nil, features: features,
            descriptions: [LocalizedText(language: "en", text: "Adds something.")])
    }

    private func ask(_ person: CallerID, _ change: CallerID, expiration: Instant? = nil) -> Command {
        .ask(AskRequest(person: person, topic: .significantAppUpdate(change: change), expiration: expiration))
    }

    @Test func onlyChangesInEffectCount() async throws {
        try await TestStore.with("access_effect") { test in
            _ = try await test.run(.putPerson("child", Self.minor, .none))
            _ = try await test.run(.putChange("now", change("2.0", ["now"]), .none))
            _ = try await test.run(.putChange("gone", change("2.0", ["gone"]), .none))
            _ = try await test.run(.withdrawChange("gone", reason: nil))
            var later = change("2.0", nil)
            later.effectiveFrom = Instant(microseconds: 4_000_000_000_000_000)
            _ = try await test.run(.putChange("later", later, .none))
            later.effectiveFrom = Instant(microseconds: 4_000_000_000_000_001)
            _ = try await test.run(.putChange("latest", later, .none))

            let decision = try await access(test)
            #expect(decision.changes.map(\.change) == ["now"] && decision.blocked == .features(["now"]))
            // When the next takes effect the decision changes by time alone; a question's expiration may come before.
            #expect(decision.validUntil == Instant(microseconds: 4_000_000_000_000_000))
            let asked = try #require(try await test.run(ask("child", "now")).question)
            let waiting = try await access(test)
            #expect(waiting.validUntil == asked.expiration)

            later.effectiveFrom = Instant(microseconds: 1)
            _ = try await test.run(.putChange("later", later, .none))
            let after = try await access(test)
            #expect(after.changes.map(\.change) == ["later", "now"] && after.blocked == .app)
        }
    }

    /// A minor's question about the change "chat", which a guardian approved.
    private func approvedChat(_ test: TestStore) async throws -> Identifier {
        _ = try await test.run(.putPerson("child", Self.minor, .none))
        _ = try await test.run(.putChange("chat", change("2.0", ["chat"]), .none))
        let asked = try #require(try await test.run(ask("child", "chat")).question)
        _ = try await test.run(Samples.approval(asked.id))
        return asked.id
    }

    private func access(_ test: TestStore) async throws -> AccessDecision {
        try #require(try await test.store.access(test.app, persons: ["child"]).first ?? nil)
    }

    @Test func consentTakenBackBlocksAndReturns() async throws {
        try await TestStore.with("access_rescission") { test in
            _ = try await approvedChat(test)
            #expect(try await access(test).phase == .clear)
            _ = try await test.run(.rescind(person: "child", .person, reason: nil))
            let taken = try await access(test)
            #expect(taken.phase == .blocked && taken.reason == .consentRescinded && taken.blocked == .app)
            _ = try await test.run(.reinstate(person: "child"))
            let back = try await access(test)
            #expect(back.phase == .askGuardian && back.changes.map(\.status) == [.required])
        }
    }

    /// Only a return that came after it opens the way to asking again, not one from before.
    @Test func aChangeTakenBackAfterAReturnIsRevoked() async throws {
        try await TestStore.with("access_rescission_late") { test in
            let approved = try await approvedChat(test)
            _ = try await test.run(.reinstate(person: "child"))
            _ = try await test.run(.rescind(person: "child", .change("chat"), reason: nil))
            let taken = try await access(test)
            #expect(taken.phase == .blocked && taken.reason == .guardianRevoked)
            #expect(taken.changes.map(\.status) == [.revoked] && taken.changes.first?.question == approved)
            _ = try await test.run(.reinstate(person: "child"))
            let back = try await access(test)
            #expect(back.phase == .askGuardian && back.changes.map(\.status) == [.required])
        }
    }

    @Test func whatIsStoredIsDecidedOn() async throws {
        try await TestStore.with("access", policy: Policy(askAgainSeconds: 0)) { test in
            _ = try await test.run(.putChange("old", change("1.2", nil), .none))
            _ = try await test.run(.putChange("chat", change("1.3", ["chat"]), .none))
            _ = try await test.run(.putChange("video", change("2.0", ["video"]), .none))
            _ = try await test.run(.putPerson("child", Self.minor, .none))
            _ = try await test.run(.putPerson("adult", Self.adult, .none))

            func access(_ person: CallerID) async throws -> AccessDecision {
                try #require(try await test.store.access(test.app, persons: [person]).first ?? nil)
            }
            let before = try await access("child")
            #expect(before.phase == .askGuardian && before.blocked == .features(["chat", "video"]))
            #expect(before.changes.map(\.change) == ["chat", "old", "video"])
            #expect(before.changes.map(\.status) == [.required, .exempt, .required])

            let chat = try #require(try await test.run(ask("child", "chat")).question)
            let video = try #require(try await test.run(ask("child", "video")).question)
            let waiting = try await access("child")
            #expect(waiting.phase == .awaitingGuardian && waiting.validUntil == chat.expiration)
            #expect(waiting.changes.map(\.question) == [chat.id, nil, video.id])

            _ = try await test.run(Samples.approval(chat.id))
            _ = try await test.run(Samples.denial(video.id))
            let denied = try await access("child")
            #expect(denied.phase == .blocked && denied.reason == .guardianDenied && denied.validUntil == nil)
            #expect(denied.blocked == .features(["video"]))
            #expect(denied.changes.map(\.status) == [.approved, .exempt, .denied])

            // The newest question counts, however the ones before it ended.
            let again = try #require(try await test.run(ask("child", "video")).question)
            #expect(
                try await access("child").changes.last
                    == ChangeAccess(change: "video", status: .pending, question: again.id))
            try test.makeOverdue([again.id])
            let overdue = try await access("child")
            #expect(overdue.phase == .askGuardian && overdue.changes.last?.status == .expired)

            #expect(try await access("adult").phase == .acknowledge)
            for change: CallerID in ["video", "chat"] {
                _ = try await test.run(.acknowledge(person: "adult", change: change))
            }
            let one = try await access("adult")
            #expect(one.phase == .acknowledge && one.blocked == .app)
            #expect(one.changes.map(\.status) == [.acknowledged, .required, .acknowledged])
            _ = try await test.run(.acknowledge(person: "adult", change: "old"))
            #expect(try await access("adult").phase == .clear)
        }
    }

    @Test func manyInTheirOrderAndOnlyOfTheApp() async throws {
        try await TestStore.with("access_many") { test in
            let other = AppID(trusted: "other")
            _ = try await test.run(.putApp(AppSettings(name: "Other"), .none), app: other)
            _ = try await test.run(.putChange("video", change("2.0", ["video"]), .none))
            _ = try await test.run(.putChange("theirs", change("2.0", nil), .none), app: other)
            let composed: CallerID = "ren\u{e9}"
            let decomposed: CallerID = "rene\u{301}"
            _ = try await test.run(.putPerson(composed, Self.minor, .none))
            _ = try await test.run(.putPerson(decomposed, Self.adult, .none))
            _ = try await test.run(.putPerson("child", Self.minor, .none), app: other)
            _ = try await test.run(ask(composed, "video"))
            _ = try await test.run(Samples.ask(composed, "video"))

            let asked = [decomposed, "child", composed, "nobody", decomposed]
            let decisions = try await test.store.access(test.app, persons: asked)
            #expect(decisions.map { $0?.phase } == [.acknowledge, nil, .awaitingGuardian, nil, .acknowledge])
            #expect(decisions.compactMap { $0?.changes.count } == [1, 1, 1])
            let theirs = try await test.store.access(other, persons: ["child", composed])
            #expect(theirs.map { $0?.changes.map(\.change) } == [["theirs"], nil])
            #expect(try await test.store.access(AppID(trusted: "none"), persons: [composed]).allSatisfy { $0 == nil })

            // Many at once, of several callers: each gets their own.
            let ids = (0..<200).map { CallerID(trusted: "p-\($0)") }
            for id in ids { _ = try await test.run(.putPerson(id, Self.minor, .none)) }
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for start in stride(from: 0, to: 200, by: 10) {
                    group.addTask {
                        let some = Array(ids[start..<(start + 10)].reversed()) + ["nobody"]
                        let decisions = try await test.store.access(test.app, persons: some)
                        return decisions.dropLast().allSatisfy { $0?.phase == .askGuardian }
                            && decisions.last == .some(nil)
                            && decisions.count == 11
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
    }

    @Test func aChangedPolicyCountsAtOnce() async throws {
        try await TestStore.with("access_policy") { test in
            _ = try await test.run(.putChange("video", change("2.0", nil), .none))
            _ = try await test.run(.putPerson("p", PersonFacts(region: "BR-SP"), .none))
            #expect(try await test.store.access(test.app, persons: ["p"])[0]?.reason == .featuresUnavailable)
            let regions = [RegionPolicy(region: "BR", duties: [], selfConsentAge: nil)]
            _ = try await test.run(.putApp(AppSettings(name: "Reader", policy: Policy(regions: regions)), .none))
            #expect(try await test.store.access(test.app, persons: ["p"])[0]?.phase == .clear)
        }
    }
}
