import Consent
import Store
import TestSupport
import Testing

/// What is refused, or changes nothing, leaves nothing behind: every row of every table is as it was.
@Suite(.timeLimit(.minutes(5))) struct RefusalTests {
    /// A database with a bit of everything in it.
    private struct Ground {
        let denied: Question
        let cancelled: Question
        let overdue: Question
        let superseded: Question
        let approved: Question
        let pending: Question
        let app = AppSettings(name: "Reader", policy: RefusalTests.policy)
        let revoked = Identifier(high: 1, low: 1)
    }

    private static let policy = Policy(askAgainSeconds: 3_600)

    private static func lay(_ test: TestStore) async throws -> Ground {
        func ask(_ subject: CallerID) async throws -> Question {
            try #require(try await test.run(Samples.ask("p", subject)).question)
        }
        _ = try await test.run(.putChange("video", Samples.change, .none))
        for (person, facts): (CallerID, PersonFacts) in [
            ("minor", Samples.minor), ("adult", Samples.adult), ("self-declared", Samples.unconfirmed),
            ("child", Samples.child), ("linked-child", Samples.child), ("frozen", Samples.child),
        ] {
            _ = try await test.run(.putPerson(person, facts, .none))
        }
        _ = try await test.run(.putChange("gone", Samples.change, .none))
        _ = try await test.run(.withdrawChange("gone", reason: "mistaken"))
        _ = try await test.run(.acknowledge(person: "adult", change: "video"))
        _ = try await test.run(.link(person: "linked", guardian: "g-1"))
        _ = try await test.run(.link(person: "linked-child", guardian: "g-1"))
        _ = try await test.run(.rescind(person: "frozen", .person, reason: nil))
        _ = try await test.run(.askAll(AskAllRequest(person: "child")))
        var app = AppSettings(name: "Reader", policy: policy)
        app.policy.askAgainSeconds = 0
        _ = try await test.run(.putApp(app, .none))
        let superseded = try await ask("superseded")
        _ = try await test.run(Samples.denial(superseded.id))
        _ = try await ask("superseded")
        _ = try await test.run(.putApp(AppSettings(name: "Reader", policy: policy), .none))
        let denied = try await ask("denied")
        _ = try await test.run(Samples.denial(denied.id))
        let cancelled = try await ask("cancelled")
        _ = try await test.run(.cancel(question: cancelled.id, by: .child, reason: nil))
        let approved = try await ask("approved")
        _ = try await test.run(Samples.approval(approved.id))
        let overdue = try await ask("overdue")
        try test.makeOverdue([overdue.id])
        let ground = Ground(
            denied: denied, cancelled: cancelled, overdue: overdue, superseded: superseded, approved: approved,
            pending: try await ask("pending"))
        let new = NewKey(id: ground.revoked, role: .service, label: "", secretHash: Array(repeating: 1, count: 32))
        _ = try await test.run(.createKey(new))
        _ = try await test.run(.revokeKey(ground.revoked))
        return ground
    }

    @Test func everyRefusalLeavesNothingBehind() async throws {
        try await TestStore.with("refusals", policy: Self.policy) { test in
            let ground = try await Self.lay(test)
            let nobody = Identifier(high: 9, low: 9)
            let year: Int64 = 366 * 86_400_000
            let cases: [(String, Command)] = [
                ("unknownQuestion", Samples.approval(nobody)),
                ("unknownQuestion", .cancel(question: nobody, by: .child, reason: nil)),
                (
                    "unknownPerson",
                    .answerMany(
                        person: "nobody",
                        [AnswerItem(question: nobody, answer: .init(guardian: "g", kind: .denial), revision: 1)])
                ),
                ("unknownPerson", .askAll(AskAllRequest(person: "nobody"))),
                ("notAvailable", .askAll(AskAllRequest(person: "adult"))),
                ("notAvailable", .askAll(AskAllRequest(person: "self-declared"))),
                ("consentRescinded", .askAll(AskAllRequest(person: "frozen"))),
                ("blocked", .askAll(AskAllRequest(person: "minor"))),
                ("quorumUnreachable", .askAll(AskAllRequest(person: "linked-child", quorum: 2))),
                (
                    "expirationNotAfterNow",
                    .askAll(AskAllRequest(person: "child", expiration: Instant.present.adding(milliseconds: -1)))
                ),
                (
                    "expirationTooFar",
                    .askAll(AskAllRequest(person: "child", expiration: Instant.present.adding(milliseconds: year)))
                ),
                ("unknownPerson", .unlink(person: "nobody", guardian: "g-1")),
                ("unknownPerson", .acknowledge(person: "nobody", change: "video")),
                ("unknownChange", .acknowledge(person: "adult", change: "nothing")),
                ("unknownChange", .withdrawChange("nothing", reason: nil)),
                ("unknownQuestion", .cancelWithdrawn(question: nobody)),
                ("changeWithdrawn", .putChange("gone", Samples.change, .none)),
                ("changeWithdrawn", .acknowledge(person: "adult", change: "gone")),
                ("changeWithdrawn", .ask(AskRequest(person: "new", topic: .significantAppUpdate(change: "gone")))),
                ("unknownKey", .revokeKey(nobody)),
                ("unknownKey", .revokeKey(ground.revoked)),
                ("preconditionFailed", .putPerson("nobody", Samples.minor, .exists)),
                ("preconditionFailed", .putPerson("nobody", Samples.minor, .revisions([1]))),
                ("preconditionFailed", .putPerson("minor", Samples.adult, .absent)),
                ("preconditionFailed", .putPerson("minor", Samples.adult, .revisions([2, 3]))),
                ("preconditionFailed", .putChange("nothing", Samples.change, .exists)),
                ("preconditionFailed", .putChange("video", Samples.change, .absent)),
                ("preconditionFailed", .putApp(ground.app, .revisions([99]))),
                ("notAvailable", Samples.ask("adult")),
                ("questionExpired", Samples.approval(ground.overdue.id)),
                ("questionExpired", Samples.denial(ground.overdue.id)),
                ("questionExpired", .cancel(question: ground.overdue.id, by: .child, reason: nil)),
                ("questionCancelled", Samples.approval(ground.cancelled.id)),
                ("questionSuperseded", Samples.approval(ground.superseded.id)),
                ("questionSuperseded", .cancel(question: ground.superseded.id, by: .child, reason: nil)),
                ("questionDecided", .cancel(question: ground.approved.id, by: .admin, reason: nil)),
                ("deniedRecently", Samples.ask("p", "denied")),
                ("quorumUnreachable", Samples.ask("linked", quorum: 2)),
                ("notAnAdult", .acknowledge(person: "minor", change: "video")),
                ("ageUnknown", .acknowledge(person: "linked", change: "video")),
                ("adultNotConfirmed", .acknowledge(person: "self-declared", change: "video")),
                (
                    "changeNotRegistered",
                    .ask(AskRequest(person: "new", topic: .significantAppUpdate(change: "nothing")))
                ),
                ("expirationNotAfterNow", Samples.ask("new", expiration: Instant.present.adding(milliseconds: -1))),
                ("expirationTooFar", Samples.ask("new", expiration: Instant.present.adding(milliseconds: year))),
            ]
            let before = try test.dump()
            for (code, command) in cases {
                for key in [nil, Samples.key("refused")] {
                    #expect(try await test.run(command, key: key).refusal?.code == code, "\(command)")
                    #expect(try test.dump() == before, "\(code) left something behind: \(command)")
                }
            }
            let elsewhere = AppID(trusted: "nowhere")
            #expect(try await test.run(Samples.ask("p"), app: elsewhere).refusal == .unknownApp)
            #expect(try test.dump() == before)
            #expect(try await test.store.person(test.app, "new") == nil)
            // Refused for want of a link; the key that such a request came with is free for another.
            let question = try #require(try await test.run(Samples.ask("linked")).question)
            let stranger = Samples.approval(question.id, "stranger")
            #expect(try await test.run(stranger, key: Samples.key("refused", 2)).refusal == .guardianNotLinked)
            #expect(try await test.run(Samples.approval(question.id), key: Samples.key("refused", 3)).question != nil)
        }
    }

    @Test func whatHoldsAlreadyWritesNothing() async throws {
        try await TestStore.with("no_ops", policy: Self.policy) { test in
            let ground = try await Self.lay(test)
            let commands: [Command] = [
                .askAll(AskAllRequest(person: "child")),
                Samples.ask("p", "pending"), Samples.ask("p", "approved"), Samples.approval(ground.approved.id),
                Samples.denial(ground.denied.id), .cancel(question: ground.cancelled.id, by: .admin, reason: "again"),
                .expire(question: ground.pending.id), .expire(question: ground.approved.id),
                .expire(question: Identifier(high: 9, low: 9)), .putPerson("minor", Samples.minor, .none),
                .link(person: "linked", guardian: "g-1"), .unlink(person: "linked", guardian: "nobody"),
                .acknowledge(person: "adult", change: "video"), .putChange("video", Samples.change, .exists),
                .withdrawChange("gone", reason: "again"), .cancelWithdrawn(question: ground.pending.id),
                .cancelWithdrawn(question: ground.approved.id), .closeWithdrawal("video"),
                .putApp(ground.app, .none), .answerMany(person: "p", []),
                .answerMany(
                    person: "p",
                    [
                        AnswerItem(
                            question: ground.approved.id, answer: .init(guardian: "g-1", kind: .approval), revision: 2),
                        AnswerItem(
                            question: ground.pending.id, answer: .init(guardian: "g-1", kind: .approval), revision: 7),
                        AnswerItem(
                            question: ground.overdue.id, answer: .init(guardian: "g-1", kind: .approval), revision: 1),
                    ]),
            ]
            let before = try test.dump()
            for command in commands {
                #expect(try await test.run(command).outcome != nil, "\(command)")
                #expect(try test.dump() == before, "\(command) wrote something")
            }
            // With a key the key is all that is kept.
            for (number, command) in commands.enumerated() {
                #expect(try await test.run(command, key: Samples.key("no-op-\(number)")).outcome != nil)
                #expect(try await test.run(command, key: Samples.key("no-op-\(number)")).isReplay)
            }
            #expect(try test.dump().filter { !$0.hasPrefix("idempotency ") } == before)
            #expect(try test.count("select count(*) from idempotency") == commands.count)
        }
    }

    @Test func aStaleRevisionShowsAnOverdueQuestionAsExpired() async throws {
        try await TestStore.with("stale_overdue") { test in
            let question = try #require(try await test.run(Samples.ask("p")).question)
            try test.makeOverdue([question.id])
            let item = AnswerItem(question: question.id, answer: .init(guardian: "g", kind: .approval), revision: 9)
            let items = try #require(try await test.run(.answerMany(person: "p", [item])).items)
            guard case .refused(.revisionChanged(let shown), at: _) = items.first?.result else {
                Issue.record("not refused for its revision")
                return
            }
            #expect(shown.state == .expired && shown.resolution?.by == .silence)
        }
    }

    @Test func aPersonWantedOnlyByWhatIsRefusedIsNotCreatedByItsNeighbours() async throws {
        try await TestStore.with("refused_neighbours") { test in
            // Many at once, so that they share transactions with what is accepted.
            let replies = try await withThrowingTaskGroup(of: Reply.self) { group in
                for number in 0..<60 {
                    let past = Instant.present.adding(milliseconds: -1_000)
                    group.addTask {
                        try await test.run(
                            number % 2 == 0
                                ? Samples.ask(CallerID(trusted: "refused-\(number)"), expiration: past)
                                : Samples.ask(CallerID(trusted: "asked-\(number)")))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(replies.count { $0.refusal != nil } == 30 && replies.count { $0.asked == .created } == 30)
            #expect(try test.count("select count(*) from person") == 30)
            #expect(try test.count("select count(*) from person where id like 'refused%'") == 0)
        }
    }
}
