import Consent
import Store
import TestSupport
import Testing

/// What the log keeps of each decision's inputs.
@Suite(.timeLimit(.minutes(5))) struct EvidenceTests {
    private typealias Counted = Evidence.CountedAnswer

    /// The evidence of the app's last event.
    private func last(_ test: TestStore) async throws -> Evidence? {
        try await test.log().last?.evidence
    }

    @Test func anAnswersDecisionHoldsWhatCounted() async throws {
        try await TestStore.with("evidence_answers") { test in
            _ = try await test.run(.putPerson("p", .unknown, .none))
            let question = try #require(try await test.run(Samples.ask("p", quorum: 2)).question)
            #expect(try await last(test) == nil)
            _ = try await test.run(Samples.approval(question.id, "g-1"))
            #expect(try await last(test) == nil)
            _ = try await test.run(.putPerson("p", Samples.minor, .none))
            _ = try await test.run(Samples.approval(question.id, "g-2"))
            let approvals = [
                Counted(guardian: "g-1", kind: .approval, revision: 2),
                Counted(guardian: "g-2", kind: .approval, revision: 3),
            ]
            let first = Evidence(personRevision: 2, ageGroup: .minor, policyRevision: 1, quorum: 2, answers: approvals)
            #expect(try await last(test) == first)
            // Later facts and policies are those of later decisions.
            _ = try await test.run(.putApp(AppSettings(name: "Renamed"), .none))
            _ = try await test.run(Samples.denial(question.id, "g-1"))
            #expect(
                try await last(test)
                    == Evidence(
                        personRevision: 2, ageGroup: .minor, policyRevision: 2, quorum: 2,
                        answers: [approvals[1], Counted(guardian: "g-1", kind: .denial, revision: 4)]))
            let approved = try await test.log().first { $0.type == .questionApproved }
            #expect(approved?.evidence == first)
            _ = try LogReplay(test.app, try await test.log())
        }
    }

    @Test func anUnlinkedGuardiansApprovalIsNoEvidence() async throws {
        try await TestStore.with("evidence_unlinked") { test in
            for guardian in ["g-1", "g-2", "g-3"] as [CallerID] {
                _ = try await test.run(.link(person: "p", guardian: guardian))
            }
            let question = try #require(try await test.run(Samples.ask("p", quorum: 2)).question)
            _ = try await test.run(Samples.approval(question.id, "g-1"))
            _ = try await test.run(.unlink(person: "p", guardian: "g-1"))
            _ = try await test.run(Samples.approval(question.id, "g-2"))
            _ = try await test.run(Samples.approval(question.id, "g-3"))
            #expect(try await last(test)?.answers.map(\.guardian) == ["g-2", "g-3"])
            #expect(try await last(test)?.ageGroup == .unknown)
            _ = try LogReplay(test.app, try await test.log())
        }
    }

    @Test func decisionsThatNoAnswerMadeHoldWhatWasSaidTillThen() async throws {
        try await TestStore.with("evidence_rest", policy: Policy(askAgainSeconds: 0)) { test in
            func expected(_ kind: AnswerKind? = nil) -> Evidence {
                Evidence(
                    personRevision: 1, ageGroup: .minor, policyRevision: 1, quorum: 2,
                    answers: kind.map { [Counted(guardian: "g-1", kind: $0, revision: 2)] } ?? [])
            }
            _ = try await test.run(.putPerson("p", Samples.minor, .none))
            let cancelled = try #require(try await test.run(Samples.ask("p", "c", quorum: 2)).question)
            _ = try await test.run(Samples.approval(cancelled.id))
            _ = try await test.run(.cancel(question: cancelled.id, by: .child, reason: nil))
            #expect(try await last(test) == expected(.approval))
            let expired = try #require(try await test.run(Samples.ask("p", "e", quorum: 2)).question)
            let again = try #require(try await test.run(Samples.ask("p", "a", quorum: 2)).question)
            _ = try await test.run(Samples.denial(again.id))
            let late = try #require(try await test.run(Samples.ask("p", "l", quorum: 2)).question)
            _ = try await test.run(Samples.approval(late.id))
            try test.makeOverdue([expired.id, late.id])
            _ = try await test.run(.expire(question: expired.id))
            #expect(try await last(test) == expected())
            // Asking again resolves the two below, whose answers nothing else has loaded.
            _ = try await test.run(Samples.ask("p", "l", quorum: 2))
            let resolved = try await test.log().last { $0.type == .questionExpired }
            #expect(resolved?.evidence == expected(.approval))
            _ = try await test.run(Samples.ask("p", "a", quorum: 2))
            let superseded = try await test.log().first { $0.type == .questionSuperseded }
            #expect(superseded?.evidence == expected(.denial))
            // What is no decision has none.
            for event in try await test.log() { #expect((event.evidence != nil) == event.type.isDecision) }
        }
    }

    @Test func anAcknowledgmentHoldsWhatItsAgeMeant() async throws {
        let policy = Policy(adultNotConfirmed: .acknowledge)
        try await TestStore.with("evidence_acknowledgment", policy: policy) { test in
            _ = try await test.run(.putChange("video", Samples.change, .none))
            _ = try await test.run(.putPerson("a", Samples.unconfirmed, .none))
            _ = try await test.run(.acknowledge(person: "a", change: "video"))
            #expect(
                try await last(test)
                    == Evidence(personRevision: 1, ageGroup: .adultNotConfirmed, policyRevision: 1))
            _ = try LogReplay(test.app, try await test.log())
        }
    }

    @Test func theAgeIsWhatTheRegionsAgeOfSelfConsentMakesOfIt() async throws {
        let brazil = RegionPolicy(
            region: "BR", duties: [.significantAppChangeRequiresAdultNotification], selfConsentAge: 16)
        try await TestStore.with("evidence_region", policy: Policy(regions: [brazil])) { test in
            _ = try await test.run(.putChange("video", Samples.change, .none))
            let facts = PersonFacts(
                ageRange: .range(lower: 16, upper: 17, declaration: "confirmed"), region: "BR")
            _ = try await test.run(.putPerson("a", facts, .none))
            _ = try await test.run(.acknowledge(person: "a", change: "video"))
            #expect(
                try await last(test) == Evidence(personRevision: 1, ageGroup: .adultConfirmed, policyRevision: 1))
        }
    }

    /// A create keeps nothing, and an answer's decision little.
    @Test func itIsSmall() async throws {
        try await TestStore.with("evidence_small") { test in
            _ = try await test.run(.putPerson("p", Samples.minor, .none))
            let question = try #require(try await test.run(Samples.ask("p")).question)
            #expect(try test.texts("select data from event where type = 'question.created'") == ["null"])
            _ = try await test.run(Samples.approval(question.id))
            let data = try test.texts("select data from event where type = 'question.approved'")
            #expect(data.first?.contains(#""on":{"person":1,"age":"minor","app":1}"#) == true)
        }
    }

    @Test func anEventFromBeforeIsReadWithoutIt() async throws {
        try await TestStore.with("evidence_before") { test in
            let question = try #require(try await test.run(Samples.ask("p")).question)
            _ = try await test.run(Samples.approval(question.id))
            try test.execute("update event set data = (data::jsonb - 'on')::json where type = 'question.approved'")
            let event = try await test.log().last
            #expect(event?.type == .questionApproved && event?.evidence == nil)
        }
    }
}
