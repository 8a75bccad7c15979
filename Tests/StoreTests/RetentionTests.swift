import Consent
import Store
import Testing

@testable import Postgres
@testable import TestSupport

/// What retention takes away, and that nothing is decided otherwise for it.
@Suite(.timeLimit(.minutes(5))) struct RetentionTests {
    private static let minor = PersonFacts(
        ageRange: .range(lower: 13, upper: 15, declaration: "guardianDeclared"),
        duties: .features(["significantAppChangeRequiresParentalConsent"]))

    private func ask(_ person: CallerID, about change: CallerID) -> Command {
        .ask(AskRequest(person: person, topic: .significantAppUpdate(change: change)))
    }

    // MARK: The log

    @Test func theLogGoesFromItsOldEndInBatches() async throws {
        try await TestStore.with("retention_log") { test in
            for n in 1...9 { _ = try await test.run(Samples.ask(CallerID(trusted: "p-\(n)"))) }
            let all = try await test.log()
            #expect(all.count == 19)
            // As if the first twelve were a day old, and one that comes later too, behind one that is young.
            try test.execute("update event set at = at - interval '1 day' where seq <= 12 or seq = 15")
            #expect(try await test.prune(.events(olderThanSeconds: 3_600, limit: 5)) == 5)
            #expect(try await test.prune(.events(olderThanSeconds: 3_600, limit: 5)) == 5)
            #expect(try await test.prune(.events(olderThanSeconds: 3_600, limit: 5)) == 2)
            #expect(try await test.prune(.events(olderThanSeconds: 3_600, limit: 5)) == 0)
            let kept = try await test.log()
            #expect(kept.map(\.seq) == (13...19).map { Int64($0) })
            #expect(kept.map(\.personRef) == all.suffix(7).map(\.personRef))
            #expect(kept.map(\.type) == all.suffix(7).map(\.type))
            let page = try #require(try await test.store.events(test.app, .all, after: 12, limit: 3))
            #expect(page.pruned == 12 && page.events.map(\.seq) == [13, 14, 15] && page.last == 15)

            // All of it: what comes next is still numbered on.
            try test.execute("update event set at = at - interval '1 day'")
            #expect(try await test.prune(.events(olderThanSeconds: 3_600, limit: 500)) == 7)
            let empty = try #require(try await test.store.events(test.app, .all, after: 19, limit: 3))
            #expect(empty.pruned == 19 && empty.events.isEmpty && empty.last == 19)
            _ = try await test.run(Samples.ask("p-1", "other"))
            #expect(try await test.log().map(\.seq) == [20])
            #expect(try await test.store.oldestKept().oldest.first?.event == test.log().first?.at)
        }
    }

    @Test func anotherAppsLogStays() async throws {
        try await TestStore.with("retention_apps") { test in
            let other = AppID(trusted: "other")
            _ = try await test.run(.putApp(AppSettings(name: "Other"), .none), app: other)
            _ = try await test.run(Samples.ask("p"), app: other)
            let log = try await test.log(other)
            _ = try await test.run(Samples.ask("p"))
            #expect(try await test.prune(.events(olderThanSeconds: 0, limit: 500)) == 3)
            #expect(try await test.log(other).map(\.seq) == log.map(\.seq))
            #expect(try await test.log().isEmpty)
        }
    }

    @Test func aPersonWhoseEventsWentCanStillBeErased() async throws {
        try await TestStore.with("retention_erasure") { test in
            let question = try #require(try await test.run(Samples.ask("secret")).question)
            _ = try await test.run(Samples.approval(question.id, "secret-guardian"))
            _ = try await test.prune(.events(olderThanSeconds: 0, limit: 500))
            #expect(try await test.run(.erase(person: "secret", by: .child)).outcome?.status == 204)
            #expect(try test.dump().filter { $0.contains("secret") } == [])
            let log = try await test.log()
            #expect(log.last?.type == .personErased && log.first?.seq == (log.last?.seq ?? 0) - Int64(log.count) + 1)
            // The erasure is a change of its questions, so they stay as long again.
            try test.endAll()
            #expect(try await test.prune(.questions([question.id], olderThanSeconds: 3_600)) == 0)
            _ = try await test.prune(.events(olderThanSeconds: 0, limit: 500))
            #expect(try await test.pruneQuestions() == 0)
            try test.expectRecounted()
        }
    }

    // MARK: Questions

    @Test func aQuestionStaysWhileAnEventTellsOfIt() async throws {
        try await TestStore.with("retention_told") { test in
            let question = try #require(try await test.run(Samples.ask("p")).question)
            _ = try await test.run(.cancel(question: question.id, by: .child, reason: nil))
            try test.endAll()
            #expect(try await test.store.oldQuestions(test.app, after: nil, olderThanSeconds: 0, looking: 9).ids == [])
            #expect(try await test.prune(.questions([question.id], olderThanSeconds: 0)) == 0)
            let count = try await test.log().count
            _ = try await test.prune(.events(olderThanSeconds: 0, limit: count - 1))
            #expect(try await test.prune(.questions([question.id], olderThanSeconds: 0)) == 0)
            #expect(try await test.log().map(\.type) == [.questionCancelled])
            _ = try await test.prune(.events(olderThanSeconds: 0, limit: 500))
            #expect(try await test.prune(.questions([question.id], olderThanSeconds: 3_600)) == 0)
            #expect(try await test.prune(.questions([question.id], olderThanSeconds: 0)) == 1)
            #expect(try await test.prune(.questions([question.id], olderThanSeconds: 0)) == 0)
        }
    }

    @Test func whatIsGoneIsUnknown() async throws {
        try await TestStore.with("retention_gone", policy: Policy(askAgainSeconds: 0)) { test in
            let old = try #require(try await test.run(Samples.ask("p"), key: Samples.key("k")).question)
            _ = try await test.run(Samples.denial(old.id))
            let new = try #require(try await test.run(Samples.ask("p")).question)
            _ = try await test.run(Samples.approval(new.id))
            #expect(try await test.store.question(test.app, old.id)?.question.supersededBy == new.id)
            try test.endAll()
            _ = try await test.prune(.events(olderThanSeconds: 0, limit: 500))
            #expect(try await test.pruneQuestions() == 1)
            #expect(try await test.store.question(test.app, old.id) == nil)
            #expect(try await test.store.answers(test.app, question: old.id) == nil)
            #expect(try await test.store.events(test.app, .question(old.id), after: 0, limit: 9) == nil)
            #expect(try await test.run(Samples.approval(old.id)).refusal == .unknownQuestion)
            #expect(try test.count("select count(*) from answer") == 1)
            let listed = try await test.store.questions(test.app, QuestionFilter(), after: nil, limit: 9).rows
            #expect(listed.map(\.question.id) == [new.id])
            // The approval stands, and the repeat of a keyed request still names what it made.
            #expect(try await test.run(Samples.ask("p")).asked == .existing)
            #expect(try await test.run(Samples.ask("p"), key: Samples.key("k")).isReplay)
        }
    }

    @Test func ofAWithdrawnChangeTheLastGoesWithItsCount() async throws {
        try await TestStore.with("retention_withdrawn", policy: Policy(askAgainSeconds: 0)) { test in
            for change: CallerID in ["stays", "goes"] {
                _ = try await test.run(.putChange(change, Samples.change, .none))
                let denied = try #require(try await test.run(ask("p", about: change)).question)
                _ = try await test.run(Samples.denial(denied.id))
                let approved = try #require(try await test.run(ask("p", about: change)).question)
                _ = try await test.run(Samples.approval(approved.id))
            }
            _ = try await test.run(.withdrawChange("goes", reason: nil))
            try test.endAll()
            _ = try await test.prune(.events(olderThanSeconds: 0, limit: 500))
            // Of the one that is in effect no more the denied question first, then what was approved. The other's refusal
            // stays with its consent.
            #expect(try await test.pruneQuestions() == 2)
            #expect(try test.count("select count(*) from question where topic_value = 'stays'") == 2)
            #expect(try await test.store.progress(test.app, change: "stays")?.questions[.approved] == 1)
            #expect(try await test.store.progress(test.app, change: "goes")?.questions[.approved] == 0)
            try test.expectRecounted()
        }
    }

    @Test(arguments: [21, 22, 23]) func nothingIsDecidedOtherwise(seed: UInt64) async throws {
        try await TestStore.with("retention_random_\(seed)", policy: Policy(askAgainSeconds: 0)) { test in
            var source = CommandSource(seed: seed, changesPolicy: false)
            for step in 0..<1_200 {
                // Now and then somebody is nobody any more.
                let command: Command =
                    step % 300 == 299
                    ? .erase(person: CommandSource.persons[step / 300], by: .admin) : source.next(now: .present)
                if let question = try await test.run(command, key: source.key(for: command)).question {
                    source.note(question)
                }
            }
            try test.endAll()
            for id in source.questions { _ = try await test.run(.expire(question: id)) }
            // Half of what was refused, long ago.
            try test.execute(
                """
                update question set resolved_at = resolved_at - interval '400 days',
                    updated_at = updated_at - interval '400 days'
                where state in ('denied', 'revoked') and get_byte(uuid_send(id), 15) % 2 = 0
                """)
            let before = try await test.decisions()
            let count = try test.count("select count(*) from question")
            while try await test.prune(.events(olderThanSeconds: 0, limit: 500)) > 0 {}
            let pruned = try await test.pruneQuestions()
            #expect(pruned > count / 4 && pruned < count)
            #expect(try test.count("select count(*) from question") == count - pruned)
            #expect(try await test.decisions() == before)
            try test.expectRecounted()
            #expect(
                try test.count(
                    "select count(*) from answer a where not exists (select from question q where q.id = a.question_id)"
                )
                    == 0)
        }
    }

    @Test func pruningAmongEverybodyElseLosesNothing() async throws {
        try await TestStore.with("retention_concurrent", policy: Policy(askAgainSeconds: 0)) { test in
            let other = TestStore(test.settings)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<8 {
                    let store = worker % 2 == 0 ? test : other
                    group.addTask {
                        var source = CommandSource(seed: 900 + UInt64(worker), changesPolicy: false)
                        for step in 1...120 {
                            let command: Command =
                                step % 40 == 0
                                ? .erase(person: CommandSource.persons[worker % 4], by: .admin)
                                : source.next(now: .present)
                            let reply = try await store.run(command, key: source.key(for: command))
                            if let question = reply.question { source.note(question) }
                        }
                    }
                }
                for store in [test, other] {
                    group.addTask {
                        for _ in 0..<40 {
                            _ = try await store.prune(.events(olderThanSeconds: 0, limit: 50))
                            _ = try await store.pruneQuestions(most: 1)
                            _ = try await store.prune(.emptyCounters(limit: 50))
                        }
                    }
                }
                try await group.waitForAll()
            }
            try test.expectRecounted()
            let page = try #require(try await test.store.events(test.app, .all, after: 0, limit: 1))
            let events = try await test.log()
            #expect(events.map(\.seq) == (0..<Int64(events.count)).map { page.pruned + 1 + $0 })
            await other.store.stop(within: .seconds(5))
        }
    }

    // MARK: Counters

    @Test func countersOfNobodyGo() async throws {
        try await TestStore.with("retention_counters") { test in
            _ = try await test.run(.putChange("video", Samples.change, .none))
            _ = try await test.run(.putPerson("p", Self.minor, .none))
            let question = try #require(try await test.run(ask("p", about: "video")).question)
            _ = try await test.run(Samples.approval(question.id))
            _ = try await test.run(.putPerson("p", Samples.minor, .none))
            let empty =
                "select (select count(*) from person_group where count = 0) + (select count(*) from change_progress where count = 0)"
            #expect(try test.count(empty) == 2)
            #expect(try await test.prune(.emptyCounters(limit: 500)) == 2)
            #expect(try test.count(empty) == 0)
            #expect(try await test.prune(.emptyCounters(limit: 500)) == 0)
            try test.expectRecounted()
            // Both come again.
            _ = try await test.run(.putPerson("p", Self.minor, .none))
            _ = try await test.run(ask("q", about: "video"))
            try test.expectRecounted()
        }
    }

    @Test func aCounterThatSomebodyWritesIsPassedBy() async throws {
        try await TestStore.with("retention_held") { test in
            _ = try await test.run(.putPerson("p", Self.minor, .none))
            _ = try await test.run(.putPerson("p", Samples.minor, .none))
            let holder = try HeldTransaction(test, "update person_group set count = count + 1 where count = 0")
            // Counted as empty, which it is for all that is committed; it neither waits nor goes.
            _ = try await test.prune(.emptyCounters(limit: 500))
            try holder.commit()
            #expect(try test.count("select count(*) from person_group") == 2)
        }
    }
}

extension TestStore {
    func prune(_ pruning: Pruning) async throws -> Int {
        guard case .done(.pruned(let rows)) = try await run(.prune(pruning)) else { return -1 }
        return rows
    }

    /// Walk after walk, until one takes nothing away.
    fileprivate func pruneQuestions(most walks: Int = .max) async throws -> Int {
        var total = 0
        for _ in 0..<walks {
            var position: Identifier?
            var pruned = 0
            repeat {
                let found = try await store.oldQuestions(app, after: position, olderThanSeconds: 0, looking: 37)
                pruned += try await prune(.questions(found.ids, olderThanSeconds: 0))
                position = found.next
            } while position != nil
            total += pruned
            if pruned == 0 { break }
        }
        return total
    }

    /// Every question is past its expiration.
    fileprivate func endAll() throws {
        try execute(
            """
            update question set expiration = greatest(created_at + interval '1 us', clock_timestamp())
            where expiration > clock_timestamp()
            """)
    }

    /// What is decided about everybody: what they may do, what asking comes to for each subject whatever the delay, and how
    /// far the changes in effect have come.
    fileprivate func decisions() async throws -> [String] {
        var decisions: [String] = []
        let persons = CommandSource.persons
        for (person, access) in zip(persons, try await store.access(app, persons: persons)) {
            decisions.append(
                "\(person) \(String(describing: access.map(\.changes))) \(String(describing: access?.phase))")
            guard let known = try await store.person(app, person) else { continue }
            let questions = try await store.questions(app, QuestionFilter(person: person), after: nil, limit: 100)
            var all = questions.rows
            var next = questions.next
            while let position = next {
                let page = try await store.questions(app, QuestionFilter(person: person), after: position, limit: 100)
                all += page.rows
                next = page.next
            }
            for topic in Self.topics {
                for delay in [0, 3_600, Policy.longestAskAgain] {
                    decisions.append("\(person) \(topic) \(try await asking(topic, known, all.map(\.question), delay))")
                }
            }
        }
        for change in try await store.changes(app, after: nil, limit: 100).rows where change.withdrawal == nil {
            let progress = try await store.progress(app, change: change.id)?.questions ?? [:]
            decisions.append("\(change.id) \(progress.map { "\($0.key) \($0.value)" }.sorted())")
        }
        return decisions
    }

    private static let topics: [Topic] =
        CommandSource.changes.map { .significantAppUpdate(change: $0) } + [
            .communication(handles: ["h-1", "h-2"]), .communication(handles: ["h-1"]), .purchase(product: "hat"),
            .custom(subject: "stay-up", reusable: true), .custom(subject: "one-hour", reusable: false),
            .custom(subject: "one-hour", reusable: true),
        ]

    private func asking(_ topic: Topic, _ person: Person, _ questions: [Question], _ delay: Int) async throws -> String
    {
        var change: Change?
        if case .significantAppUpdate(let id) = topic { change = try await store.change(app, id) }
        let standing = questions.filter {
            $0.topic.subject.utf8.elementsEqual(topic.subject.utf8) && $0.supersededBy == nil
                && (topic.kind == .significantAppUpdate || ($0.state != .expired && $0.state != .cancelled))
        }.max { $0.id < $1.id }
        let verdict = Asking.decide(
            AskRequest(person: person.id, topic: topic, description: "May I?"), person: person, change: change,
            standing: standing, policy: Policy(askAgainSeconds: delay), now: try now(), random: 1)
        return switch verdict {
        case .create: "create"
        case .existing(let question): "existing \(question.id)"
        case .refused(let refusal): refusal.code
        }
    }
}

/// A transaction of somebody else that wrote something and has not yet committed.
private struct HeldTransaction {
    private let connection: Connection

    init(_ test: TestStore, _ sql: String) throws {
        connection = try Connection(test.settings)
        try connection.execute("begin")
        try connection.execute(sql)
    }

    func commit() throws {
        try connection.execute("commit")
        connection.close()
    }
}
