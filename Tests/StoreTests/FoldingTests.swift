import Consent
import Store
import TestSupport
import Testing

/// Commands that share a transaction see what those before them did, exactly as if each had had one of its own.
@Suite(.timeLimit(.minutes(5))) struct FoldingTests {
    @Test func twoWhoAskTheSameGetOneQuestion() async throws {
        try await OneBatch.with("fold_asks") { test, batch in
            let replies = try await batch.replies([
                Samples.ask("p"), Samples.ask("p"), Samples.ask("p", "other"), Samples.ask("q"),
            ])
            #expect(replies.map(\.asked) == [.created, .existing, .created, .created])
            #expect(replies[0].question == replies[1].question)
            #expect(try test.count("select count(*) from question") == 3)
            // The events stand in the order of the commands.
            let created = try await test.log().filter { $0.type == .questionCreated }
            #expect(created.map(\.person) == ["p", "p", "q"])
        }
    }

    @Test func aLinkCountsAtOnceAndAnUnlinkToo() async throws {
        try await OneBatch.with("fold_links") { test, batch in
            _ = try await test.run(.link(person: "p", guardian: "g-1"))
            let question = try #require(try await test.run(Samples.ask("p", quorum: 1)).question)
            let replies = try await batch.replies([
                Samples.approval(question.id, "g-2"), .link(person: "p", guardian: "g-2"),
                Samples.denial(question.id, "g-2"), .unlink(person: "p", guardian: "g-2"),
                Samples.approval(question.id, "g-2"), Samples.denial(question.id, "g-1"),
            ])
            #expect(replies[0].refusal == .guardianNotLinked)
            #expect(replies[2].question?.state == .denied)
            #expect(replies[4].refusal == .guardianNotLinked)
            #expect(replies[5].question?.revision == 3)
            #expect(try test.texts("select guardian from guardian_link") == ["g-1"])
        }
    }

    @Test func anApprovalIsVoidedByAnUnlinkRightBehindIt() async throws {
        try await OneBatch.with("fold_void") { test, batch in
            for guardian: CallerID in ["g-1", "g-2"] { _ = try await test.run(.link(person: "p", guardian: guardian)) }
            let question = try #require(try await test.run(Samples.ask("p", quorum: 2)).question)
            let replies = try await batch.replies([
                Samples.approval(question.id, "g-1"), .unlink(person: "p", guardian: "g-1"),
                Samples.approval(question.id, "g-2"), .link(person: "p", guardian: "g-1"),
                Samples.approval(question.id, "g-1"),
            ])
            #expect(replies[2].question?.state == .pending)
            #expect(replies[4].question?.state == .approved)
            #expect(
                try test.texts("select concat_ws('|', guardian, voided_at is null) from answer order by revision")
                    == ["g-1|f", "g-2|t", "g-1|t"])
        }
    }

    @Test func aLinkTakenAwayAndGivenAgainDatesFromThen() async throws {
        try await OneBatch.with("fold_relink") { test, batch in
            _ = try await test.run(.link(person: "p", guardian: "g"))
            let replies = try await batch.replies([
                .unlink(person: "p", guardian: "g"), .link(person: "p", guardian: "g"),
                .link(person: "q", guardian: "g"), .unlink(person: "q", guardian: "g"),
            ])
            guard case .done(.link(let link, created: true)) = replies[1] else {
                Issue.record("not linked again")
                return
            }
            #expect(try await test.store.guardians(test.app, person: "p") == [link])
            #expect(try await test.store.guardians(test.app, person: "q") == [])
        }
    }

    @Test func aChangeRegisteredJustBeforeIsAskedAbout() async throws {
        try await OneBatch.with("fold_change") { test, batch in
            let ask = Command.ask(
                AskRequest(person: "p", topic: .significantAppUpdate(change: "video"), language: "en"))
            var better = Samples.change
            better.descriptions = [LocalizedText(language: "en", text: "Adds calls with strangers.")]
            let replies = try await batch.replies([
                ask, .putChange("video", Samples.change, .absent), .putChange("video", better, .revisions([1])), ask,
                .putChange("video", Samples.change, .absent), .acknowledge(person: "p", change: "video"),
            ])
            #expect(replies[0].refusal == .changeNotRegistered)
            #expect(replies[3].question?.description == "Adds calls with strangers.")
            #expect(replies[4].refusal == .preconditionFailed)
            #expect(replies[5].refusal == .ageUnknown)
            #expect(try await test.store.change(test.app, "video")?.revision == 2)
        }
    }

    @Test func factsAndPolicyCountFromTheNextCommandOn() async throws {
        try await OneBatch.with("fold_facts") { test, batch in
            var strict = AppSettings(name: "Reader")
            strict.policy.defaultQuorum = 2
            _ = try await test.run(.putChange("video", Samples.change, .none))
            let replies = try await batch.replies([
                Samples.ask("p", "one"), .putPerson("p", Samples.adult, .none), Samples.ask("p", "two"),
                .acknowledge(person: "p", change: "video"), .acknowledge(person: "p", change: "video"),
                .putPerson("p", Samples.minor, .revisions([2])), .putApp(strict, .none), Samples.ask("p", "three"),
            ])
            #expect(replies[0].question?.quorum == 1)
            #expect(replies[2].refusal == .notAvailable)
            #expect(replies[3].created == true && replies[4].created == false)
            #expect(replies[5].person?.revision == 3)
            #expect(replies[7].question?.quorum == 2)
            #expect(try await test.store.person(test.app, "p")?.facts == Samples.minor)
        }
    }

    @Test func askingForEverythingSeesWhatWasJustDone() async throws {
        try await OneBatch.with("fold_ask_all", policy: Policy(askAgainSeconds: 0)) { test, batch in
            for change: CallerID in ["a", "b"] { _ = try await test.run(.putChange(change, Samples.change, .none)) }
            _ = try await test.run(.putPerson("p", Samples.child, .none))
            let everything = Command.askAll(AskAllRequest(person: "p"))
            let question = try #require(
                try await test.run(.ask(AskRequest(person: "p", topic: .significantAppUpdate(change: "a")))).question)
            let replies = try await batch.replies([
                Samples.denial(question.id), .putChange("c", Samples.change, .none),
                .ask(AskRequest(person: "p", topic: .significantAppUpdate(change: "c"))), everything, everything,
                .withdrawChange("b", reason: nil), everything, .putPerson("p", Samples.adult, .none), everything,
                .putPerson("q", Samples.child, .none), .askAll(AskAllRequest(person: "q")),
            ])
            let first = try #require(replies[3].askedItems)
            #expect(first.map(\.change) == ["a", "b", "c"])
            #expect(first.map(\.asked) == [.created, .created, .existing])
            #expect(first[0].question?.id != question.id && first[2].question?.id == replies[2].question?.id)
            #expect(replies[4].askedItems?.map(\.asked) == [.existing, .existing, .existing])
            #expect(replies[6].askedItems?.map(\.change) == ["a", "c"])
            #expect(replies[8].refusal == .notAvailable)
            #expect(replies[10].askedItems?.map(\.asked) == [.created, .created])
            #expect(
                try await test.store.question(test.app, question.id)?.question.supersededBy == first[0].question?.id)
            try test.expectRecounted()
        }
    }

    @Test func answersAndEndsOfOneQuestion() async throws {
        try await OneBatch.with("fold_answers") { test, batch in
            let question = try #require(try await test.run(Samples.ask("p")).question)
            let seen = AnswerItem(question: question.id, answer: .init(guardian: "g-2", kind: .denial), revision: 2)
            let replies = try await batch.replies([
                Samples.approval(question.id), Samples.approval(question.id),
                .cancel(question: question.id, by: .child, reason: nil), .answerMany(person: "p", [seen, seen]),
                .expire(question: question.id),
            ])
            #expect(replies[0].question?.revision == 2 && replies[1].question?.revision == 2)
            #expect(replies[2].refusal?.code == "questionDecided")
            guard case .accepted(let revoked) = replies[3].items?[0].result,
                case .refused(.revisionChanged, at: _) = replies[3].items?[1].result
            else {
                Issue.record("the first of two answers to one revision counts, the second does not")
                return
            }
            #expect(revoked.question.state == .revoked && revoked.question.revision == 3)
            #expect(try test.count("select count(*) from answer") == 2)
        }
    }

    @Test func aKeyMadeAndRevokedAtOnce() async throws {
        try await OneBatch.with("fold_keys") { test, batch in
            let id = Identifier(high: 4, low: 4)
            let new = NewKey(id: id, role: .service, label: "x", secretHash: Array(repeating: 4, count: 32))
            let replies = try await batch.replies([.createKey(new), .revokeKey(id), .revokeKey(id)])
            #expect(replies[2].refusal == .unknownKey)
            #expect(try await test.store.credential(id)?.key.revokedAt != nil)
        }
    }

    @Test func askingAgainAfterADenialInOneBatch() async throws {
        try await OneBatch.with("fold_again", policy: Policy(askAgainSeconds: 0)) { test, batch in
            let question = try #require(try await test.run(Samples.ask("p")).question)
            let replies = try await batch.replies([
                Samples.denial(question.id), Samples.ask("p"), Samples.approval(question.id), Samples.ask("p"),
            ])
            #expect(replies[1].asked == .created)
            #expect(replies[2].refusal?.code == "questionSuperseded")
            #expect(replies[3].question?.id == replies[1].question?.id)
        }
    }

    @Test func theSameKeyTwiceInOneBatch() async throws {
        try await OneBatch.with("fold_key_twice") { test, batch in
            let results = try await batch.run([
                (Samples.ask("p"), Samples.key("k")), (Samples.ask("p"), Samples.key("k")),
                (Samples.ask("q"), Samples.key("k", 2)), (Samples.ask("q"), Samples.key("k", 2, scope: "other")),
            ])
            let replies = try results.map { try $0.get() }
            let question = try #require(replies[0].question)
            #expect(replies[1].replay?.status == 201)
            #expect(replies[1].replay?.resource == .question(question.id))
            #expect(replies[2].refusal == .idempotencyKeyReused)
            #expect(replies[3].asked == .created)
        }
    }

    @Test func oneThatCannotBeWrittenFailsAlone() async throws {
        try await OneBatch.with("fold_poison") { test, batch in
            let backwards = PersonFacts(ageRange: .range(lower: 15, upper: 10, declaration: nil))
            let zero = CallerID(trusted: "a\u{0}b")
            var commands = (0..<20).map { Samples.ask(CallerID(trusted: "p-\($0)")) }
            commands.insert(.putPerson("poison", backwards, .none), at: 7)
            commands.insert(Samples.ask(zero), at: 13)
            let results = try await batch.run(commands.map { ($0, Samples.key("\($0)")) })
            for (number, result) in results.enumerated() {
                switch (number, result) {
                case (7, .failure(let failure)): #expect(failure == .broken(sqlState: "23514"))
                case (13, .failure(let failure)): #expect(failure == .broken(sqlState: "22021"))
                case (_, .success(let reply)): #expect(reply.asked == .created)
                case (_, .failure(let failure)): Issue.record("\(number): \(failure)")
                }
            }
            #expect(try test.count("select count(*) from person where id <> 'gate'") == 20)
            #expect(try test.count("select count(*) from idempotency") == 20)
        }
    }
}
