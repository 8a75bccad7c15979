import Consent
import Store
import TestSupport
import Testing

/// Changes that are taken back: what is told, what is taken no more, and what the tables hold.
@Suite(.timeLimit(.minutes(5))) struct WithdrawalTests {
    private func ask(_ person: CallerID, _ change: CallerID = "video", quorum: Int? = nil) -> Command {
        .ask(AskRequest(person: person, topic: .significantAppUpdate(change: change), quorum: quorum))
    }

    @Test func marksTheChangeAndTellsIt() async throws {
        try await TestStore.with("withdrawal_marks") { test in
            var settings = Samples.change
            settings.effectiveFrom = Instant(microseconds: 1_790_000_000_000_007)
            _ = try await test.run(.putChange("video", settings, .none))
            #expect(try await test.store.change(test.app, "video")?.settings == settings)
            let reply = try await test.run(.withdrawChange("video", reason: "mistaken"))
            guard case .done(.change(let change, created: false)) = reply else {
                Issue.record("not withdrawn: \(reply)")
                return
            }
            #expect(change.revision == 2 && change.withdrawal?.reason == "mistaken")
            #expect(try await test.store.change(test.app, "video") == change)
            #expect(try await test.store.changes(test.app, after: nil, limit: 10).rows == [change])
            let events = try await test.log()
            #expect(events.map(\.type).suffix(2) == [.changeRegistered, .changeWithdrawn])
            #expect(events.last?.data == .change(change) && events.last?.revision == 2)
            let again = try await test.run(.withdrawChange("video", reason: "other"))
            guard case .done(.change(change, created: false)) = again else {
                Issue.record("changed: \(again)")
                return
            }
            #expect(try await test.log().count == events.count)
            #expect(try await test.store.openWithdrawals() == [OpenWithdrawal(app: test.app, change: "video")])
            _ = try await test.run(.closeWithdrawal("video"))
            #expect(try await test.store.openWithdrawals().isEmpty)
        }
    }

    @Test func answersAreRefusedFromTheCommitOn() async throws {
        try await TestStore.with("withdrawal_answers") { test in
            _ = try await test.run(.putChange("video", Samples.change, .none))
            let waiting = try #require(try await test.run(ask("p-1")).question)
            let approved = try #require(try await test.run(ask("p-2")).question)
            _ = try await test.run(Samples.approval(approved.id))
            let denied = try #require(try await test.run(ask("p-3", quorum: 2)).question)
            _ = try await test.run(Samples.denial(denied.id))
            _ = try await test.run(.withdrawChange("video", reason: "mistaken"))
            for command in [
                Samples.approval(waiting.id), Samples.denial(waiting.id), Samples.approval(denied.id), ask("p-1"),
                ask("new"),
            ] {
                #expect(try await test.run(command).refusal?.code == "changeWithdrawn")
            }
            let item = AnswerItem(question: waiting.id, answer: .init(guardian: "g", kind: .approval), revision: 1)
            guard
                case .refused(.changeWithdrawn, at: _)? = try await test.run(.answerMany(person: "p-1", [item]))
                    .items?.first?.result
            else {
                Issue.record("taken among many")
                return
            }
            #expect(try await test.run(Samples.denial(approved.id)).question?.state == .revoked)
            #expect(try await test.store.person(test.app, "new") == nil)
            let cancelled = try #require(try await test.run(.cancelWithdrawn(question: waiting.id)).question)
            #expect(cancelled.state == .cancelled && cancelled.resolution?.by == .withdrawal)
            #expect(cancelled.resolution?.reason == "mistaken" && cancelled.revision == 2)
            #expect(try await test.log().last?.data == .question(cancelled, answer: nil))
            #expect(try await test.store.question(test.app, waiting.id)?.question == cancelled)
            let count = try await test.log().count
            _ = try await test.run(.cancelWithdrawn(question: waiting.id))
            _ = try await test.run(.cancelWithdrawn(question: approved.id))
            #expect(try await test.log().count == count)
        }
    }

    /// Two stores: whatever asks or answers while the change is withdrawn does so before it or not at all.
    @Test func noneIsLeftWaitingByARace() async throws {
        try await TestStore.with("withdrawal_race", policy: Policy(askAgainSeconds: 0)) { test in
            let other = TestStore(test.settings)
            for round in 0..<8 {
                let change = CallerID(trusted: "c-\(round)")
                _ = try await test.run(.putChange(change, Samples.change, .none))
                var denied: [Identifier] = []
                for number in 0..<10 {
                    let person = CallerID(trusted: "denied-\(number)")
                    let question = try #require(try await test.run(ask(person, change, quorum: 2)).question)
                    _ = try await test.run(Samples.denial(question.id))
                    denied.append(question.id)
                }
                let commands =
                    (0..<40).map { ask(CallerID(trusted: "p-\($0)"), change) }
                    // Each would wait again.
                    + denied.map { Samples.approval($0) }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (number, command) in commands.shuffled().enumerated() {
                        let store = number % 2 == 0 ? test : other
                        group.addTask { _ = try await store.run(command) }
                        if number == 20 {
                            group.addTask { _ = try await other.run(.withdrawChange(change, reason: nil)) }
                        }
                    }
                    try await group.waitForAll()
                }
                let log = try await test.log()
                let mark = try #require(log.last { $0.type == .changeWithdrawn }?.seq)
                #expect(
                    !log.contains { $0.seq > mark && [.questionCreated, .questionPending].contains($0.type) })
                var position: QuestionPosition?
                repeat {
                    let found = try await test.store.pendingQuestions(
                        test.app, about: change, after: position, looking: 16)
                    for id in found.ids { _ = try await test.run(.cancelWithdrawn(question: id)) }
                    position = found.next
                } while position != nil
                #expect(try test.count("select count(*) from question where state = 'pending'") == 0)
            }
            await other.store.stop(within: .seconds(5))
        }
    }
}
