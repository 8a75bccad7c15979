import Consent
import Store
@testable import TestSupport
import Testing

/// Two stores on one database, as two servers would have.
@Suite(.timeLimit(.minutes(5))) struct RaceTests {
    private func race(
        _ name: String, policy: Policy = Policy(), _ body: @Sendable (TestStore, [TestStore]) async throws -> Void
    ) async throws {
        try await TestStore.with(name, policy: policy) { test in
            let other = TestStore(test.settings)
            do {
                try await body(test, [test, other])
            } catch {
                await other.store.stop(within: .seconds(5))
                throw error
            }
            await other.store.stop(within: .seconds(5))
        }
    }

    /// All commands at once, spread over the stores; the replies in the order of the commands.
    private func atOnce(_ stores: [TestStore], _ commands: [Command]) async throws -> [Reply] {
        try await withThrowingTaskGroup(of: (Int, Reply).self) { group in
            for (number, command) in commands.enumerated() {
                group.addTask { (number, try await stores[number % stores.count].run(command)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    @Test func fiftyCreatesOfOneSubjectAreOneQuestion() async throws {
        try await race("race_creates") { test, stores in
            for round in 1...5 {
                let subject = CallerID(trusted: "subject-\(round)")
                let replies = try await atOnce(stores, Array(repeating: Samples.ask("p", subject), count: 50))
                #expect(replies.count { $0.asked == .created } == 1)
                #expect(Set(replies.compactMap { $0.question?.id }).count == 1)
                #expect(try test.count("select count(*) from question") == round)
            }
            #expect(try test.count("select count(*) from person") == 1)
        }
    }

    @Test func fiftyWhoAskForEverythingAskOncePerChange() async throws {
        try await race("race_ask_all") { test, stores in
            for change: CallerID in ["a", "b", "c"] {
                _ = try await test.run(.putChange(change, Samples.change, .none))
            }
            for round in 1...4 {
                let person = CallerID(trusted: "p-\(round)")
                _ = try await test.run(.putPerson(person, Samples.child, .none))
                // Some ask about one of them alone.
                let commands = (0..<50).map { number -> Command in
                    number % 5 == 0
                        ? .ask(AskRequest(person: person, topic: .significantAppUpdate(change: "b")))
                        : .askAll(AskAllRequest(person: person))
                }
                let replies = try await atOnce(stores, commands)
                let items = replies.flatMap { $0.askedItems ?? [] }
                #expect(items.count == 40 * 3)
                let alone = replies.count { $0.asked == .created }
                #expect(items.count { $0.asked == .created } + alone == 3)
                #expect(Set(items.compactMap { $0.question?.id }).count == 3)
                #expect(try test.count("select count(*) from question") == 3 * round)
            }
            let log = try LogReplay(test.app, try await test.log())
            try await log.model.expectSame(as: test)
        }
    }

    /// Everything it looks at moves meanwhile: facts, links, answers, changes that come and are taken back, consent itself.
    @Test func askingForEverythingNeverDecidesOnStaleFacts() async throws {
        try await race("race_ask_all_facts", policy: Policy(askAgainSeconds: 0)) { test, stores in
            _ = try await test.run(.putChange("stays", Samples.change, .none))
            var replies: [Reply] = []
            for round in 0..<30 {
                let person = CallerID(trusted: "p-\(round % 5)")
                let change = CallerID(trusted: "c-\(round)")
                let everything = Command.askAll(AskAllRequest(person: person))
                _ = try await test.run(.putPerson(person, Samples.child, .none))
                replies += try await atOnce(
                    stores,
                    [
                        everything, .putChange(change, Samples.change, .none), everything,
                        .putPerson(person, Samples.adult, .none), everything, .link(person: person, guardian: "g"),
                        .askAll(AskAllRequest(person: person, quorum: 2)), .withdrawChange(change, reason: nil),
                        everything, .unlink(person: person, guardian: "g"), .putPerson(person, Samples.child, .none),
                        everything,
                        // The stores take turns, so that no batch holds both the rescission and the return.
                        .rescind(person: person, .person, reason: nil), everything, everything,
                        .reinstate(person: person),
                    ])
                let asked = Set(replies.suffix(16).flatMap { $0.askedItems ?? [] }.compactMap { $0.question?.id })
                replies += try await atOnce(
                    stores, asked.map { Samples.denial($0, "g") } + [everything, everything])
            }
            let log = try LogReplay(test.app, try await test.log())
            log.expectConsistent(replies)
            try await log.model.expectSame(as: test, knowsAll: false)
            let codes = Set(replies.compactMap { $0.refusal?.code })
            #expect(
                codes.isSuperset(of: ["notAvailable", "quorumUnreachable", "consentRescinded"]),
                "the race was never close: \(codes)")
            // Nobody was asked about a change after it was taken back.
            #expect(
                try test.count(
                    "select count(*) from question q join change c on c.app_id = q.app_id and c.id = q.topic_value "
                        + "where q.created_at > c.withdrawn_at") == 0)
        }
    }

    /// `quorum` 1: each answer decides; 30: they add up. One guardian for all, or one for each answer.
    @Test(arguments: [(1, 50), (30, 50), (1, 1), (1, 2)])
    func approvalsAndDenialsHaveOneOrder(quorum: Int, guardians: Int) async throws {
        try await race("race_answers_\(quorum)_\(guardians)") { test, stores in
            let question = try #require(try await test.run(Samples.ask("p", quorum: min(quorum, 10))).question)
            let commands = (0..<50).map { number in
                let guardian = CallerID(trusted: "g-\(number / 2 % guardians)")
                return number % 2 == 0
                    ? Samples.approval(question.id, guardian) : Samples.denial(question.id, guardian)
            }
            let replies = try await atOnce(stores, commands)
            #expect(replies.allSatisfy { $0.question != nil })
            let log = try LogReplay(test.app, try await test.log())
            log.expectConsistent(replies)
            // Each accepted change is one revision, one answer and one event, and somebody was told of it.
            let revisions = log.history[question.id]?.keys.max() ?? 0
            #expect(try test.count("select count(*) from answer") == revisions - 1)
            #expect(Set(replies.compactMap { $0.question?.revision }) == Set(2...revisions))
            try await log.model.expectSame(as: test)
        }
    }

    @Test func aCreateNeverDecidesOnStaleFacts() async throws {
        try await race("race_facts") { test, stores in
            _ = try await test.run(.putChange("video", Samples.change, .none))
            var replies: [Reply] = []
            for round in 0..<40 {
                let person = CallerID(trusted: "p-\(round % 7)")
                let subject = CallerID(trusted: "s-\(round)")
                replies += try await atOnce(
                    stores,
                    [
                        .link(person: person, guardian: "g"), Samples.ask(person, subject),
                        .unlink(person: person, guardian: "g"), .putPerson(person, Samples.adult, .none),
                        Samples.ask(person, subject), .acknowledge(person: person, change: "video"),
                        .putPerson(person, Samples.minor, .none), Samples.ask(person, "other"),
                    ])
                if let question = replies.last?.question {
                    replies += try await atOnce(
                        stores,
                        [
                            Samples.approval(question.id, "g"), .unlink(person: person, guardian: "g"),
                            .link(person: person, guardian: "h"), Samples.denial(question.id, "h"),
                            .cancel(question: question.id, by: .child, reason: nil),
                        ])
                }
            }
            // The log must be a history in which each of these was right when it happened.
            let log = try LogReplay(test.app, try await test.log())
            log.expectConsistent(replies)
            try await log.model.expectSame(as: test)
            let codes = Set(replies.compactMap { $0.refusal?.code })
            #expect(codes.isSuperset(of: ["notAvailable", "quorumUnreachable"]), "the race was never close")
        }
    }

    @Test func noApprovalIsTakenAtOrPastTheDeadline() async throws {
        try await race("race_deadline") { test, stores in
            for round in 0..<3 {
                let question = try await test.ask("p", CallerID(trusted: "s-\(round)"), expiringIn: 120, quorum: 10)
                let end = question.expiration
                let replies = try await withThrowingTaskGroup(of: [Reply].self) { group in
                    for worker in 0..<10 {
                        group.addTask {
                            var replies: [Reply] = []
                            // Past the deadline for a while, however long that takes.
                            while replies.count(where: { $0.refusal != nil }) < 4 {
                                let guardian = CallerID(trusted: "g-\(worker)-\(replies.count)")
                                let isDenial = worker == 9 && replies.count % 2 == 1
                                let command =
                                    isDenial
                                    ? Samples.denial(question.id, guardian) : Samples.approval(question.id, guardian)
                                replies.append(try await stores[worker % 2].run(command))
                            }
                            return replies
                        }
                    }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                for reply in replies {
                    if let record = reply.record { #expect(record.readAt < end || record.question.state != .pending) }
                }
                #expect(
                    try test.count(
                        "select count(*) from answer where answer = 'approval' and answered_at >= '\(end.sql)'") == 0)
                let log = try LogReplay(test.app, try await test.log())
                log.expectConsistent(replies)
            }
        }
    }

    @Test func crossingBatchesNeverDeadlock() async throws {
        try await race("race_crossing") { test, stores in
            let persons = (0..<12).map { CallerID(trusted: "p-\($0)") }
            var questions: [Identifier] = []
            for reply in try await atOnce(stores, persons.map { Samples.ask($0, quorum: 10) }) {
                questions.append(try #require(reply.question?.id))
            }
            for change: CallerID in ["chat", "video"] {
                _ = try await test.run(.putChange(change, Samples.change, .none))
            }
            for person in persons { _ = try await test.run(.putPerson(person, Samples.child, .none)) }
            var settings = Samples.change
            settings.build = "105"
            let other = settings
            let asked = questions
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<24 {
                    group.addTask {
                        var random = SplitMix(UInt64(worker))
                        for step in 0..<25 {
                            let guardian = CallerID(trusted: "g-\(worker)")
                            let commands: [Command] = [
                                Samples.approval(random.pick(asked), guardian),
                                Samples.denial(random.pick(asked), guardian),
                                Samples.ask(CallerID(trusted: "new-\(worker)-\(step)")),
                                Samples.ask(random.pick(persons), CallerID(trusted: "s-\(step % 3)")),
                                .link(person: random.pick(persons), guardian: guardian),
                                .ask(
                                    AskRequest(
                                        person: random.pick(persons), topic: .significantAppUpdate(change: "video"))),
                                .askAll(AskAllRequest(person: random.pick(persons))),
                                .putChange("chat", random.once(in: 2) ? Samples.change : other, .none),
                                .putChange("video", random.once(in: 2) ? Samples.change : other, .none),
                            ]
                            _ = try await stores[worker % 2].run(
                                random.pick(commands), key: Samples.key("k-\(random.next() % 200)"))
                        }
                    }
                }
                try await group.waitForAll()
            }
            // Sessions report what they counted when they end.
            for store in stores { await store.store.stop(within: .seconds(5)) }
            #expect(try test.count("select deadlocks from pg_stat_database where datname = current_database()") == 0)
        }
    }
}
