import Consent
import Store
import TestSupport
import Testing

/// Lists and counts against the plainest filter there is.
@Suite(.timeLimit(.minutes(5))) struct ListTests {
    private static let persons: [CallerID] = ["p-1", "p-2", "p-3"]

    /// Questions of every topic and state, overdue ones among them, some of one expiration.
    private func lay(_ test: TestStore) async throws -> [(person: CallerID, question: Question)] {
        for change: CallerID in ["c-1", "c-2"] { _ = try await test.run(.putChange(change, Samples.change, .none)) }
        _ = try await test.run(.link(person: "p-1", guardian: "g-1"))
        for person: CallerID in ["p-1", "p-2"] { _ = try await test.run(.link(person: person, guardian: "g-2")) }
        let present = Instant.present
        let later = present.adding(milliseconds: 3_600_000)
        var asked: [(person: CallerID, question: Question)] = []
        var overdue: [Identifier] = []
        for (index, person) in Self.persons.enumerated() {
            let topics: [Topic] = [
                .significantAppUpdate(change: "c-1"), .significantAppUpdate(change: "c-2"),
                .communication(handles: ["h"]), .purchase(product: "c-1"), .custom(subject: "c-1", reusable: true),
                .custom(subject: "s", reusable: false), .custom(subject: "t", reusable: true),
            ]
            for (number, topic) in topics.enumerated() {
                let kind = (number + index) % 7
                let expiration = number % 2 == 0 ? later : later.adding(milliseconds: Int64(number))
                let ask = AskRequest(
                    person: person, topic: topic, description: "x", language: "en", expiration: expiration, quorum: 1)
                let reply = try await test.run(.ask(ask))
                let id = try #require(reply.question?.id)
                let guardian: CallerID = "g-2"
                switch kind {
                case 0: overdue.append(id)
                case 1: _ = try await test.run(Samples.approval(id, guardian))
                case 2: _ = try await test.run(Samples.denial(id, guardian))
                case 3:
                    _ = try await test.run(Samples.approval(id, guardian))
                    _ = try await test.run(Samples.denial(id, guardian))
                case 4: _ = try await test.run(.cancel(question: id, by: .child, reason: nil))
                default: break
                }
                let record = try #require(try await test.store.question(test.app, id))
                asked.append((person, record.question))
            }
        }
        try test.makeOverdue(overdue)
        _ = try await test.run(.expire(question: try #require(overdue.first)))
        var stored: [(person: CallerID, question: Question)] = []
        for (person, question) in asked {
            let record = try #require(try await test.store.question(test.app, question.id))
            stored.append((person, record.question))
        }
        return stored
    }

    private func naive(
        _ filter: QuestionFilter, _ all: [(person: CallerID, question: Question)]
    ) -> [Question] {
        let linked: [CallerID: Set<CallerID>] = ["p-1": ["g-1", "g-2"], "p-2": ["g-2"]]
        let found = all.filter { person, question in
            if let state = filter.state, question.state != state { return false }
            if let wanted = filter.person, wanted != person { return false }
            if let guardian = filter.guardian, linked[person]?.contains(guardian) != true { return false }
            if let topic = filter.topic, question.topic.kind != topic { return false }
            if let change = filter.change, question.topic != .significantAppUpdate(change: change) { return false }
            if let end = filter.expiringBefore, question.expiration >= end { return false }
            if let start = filter.createdAfter, question.createdAt <= start { return false }
            return true
        }.map(\.question)
        return found.sorted {
            filter.state == .pending && $0.expiration != $1.expiration
                ? $0.expiration < $1.expiration : $0.id < $1.id
        }
    }

    private func filters(_ all: [(person: CallerID, question: Question)]) -> [QuestionFilter] {
        let middle = all[all.count / 2].question
        var filters = [QuestionFilter()]
        filters += QuestionState.allCases.map { QuestionFilter(state: $0) }
        func product<Value>(_ path: WritableKeyPath<QuestionFilter, Value>, _ values: [Value]) {
            filters += filters.flatMap { filter in
                values.map { value in
                    var next = filter
                    next[keyPath: path] = value
                    return next
                }
            }
        }
        product(\.person, ["p-1", "p-3", "nobody"])
        product(\.guardian, ["g-1", "g-2", "nobody"])
        product(\.topic, [.significantAppUpdate, .custom])
        product(\.change, ["c-1"])
        product(\.expiringBefore, [middle.expiration])
        product(\.createdAfter, [middle.createdAt])
        return filters
    }

    @Test func everyFilterAgreesWithThePlainOne() async throws {
        try await TestStore.with("lists_product") { test in
            let all = try await lay(test)
            #expect(Set(all.map(\.question.state)) == Set(QuestionState.allCases))
            let filters = filters(all)
            let turnstile = Turnstile(64)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, filter) in filters.enumerated() {
                    await turnstile.enter()
                    group.addTask {
                        let expected = naive(filter, all)
                        let limit = number % 9 == 0 ? 1 + number % 4 : 100
                        let pages = try await walk(test, filter, limit: limit)
                        #expect(pages == expected, "\(filter)")
                        let counts = try await test.store.questionCounts(test.app, filter)
                        #expect(counts.count == QuestionState.allCases.count)
                        for (state, count) in counts {
                            #expect(count == expected.count { $0.state == state }, "\(filter)")
                        }
                        await turnstile.leave()
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    private func walk(_ test: TestStore, _ filter: QuestionFilter, limit: Int) async throws -> [Question] {
        var found: [Question] = []
        var after: QuestionPosition?
        while true {
            let page = try await test.store.questions(test.app, filter, after: after, limit: limit)
            #expect(page.rows.count <= limit)
            for record in page.rows {
                #expect(record.question.state != .pending || record.readAt < record.question.expiration)
            }
            found += page.rows.map(\.question)
            guard let next = page.next else { return found }
            after = next
        }
    }

    /// Nothing that was there before a walk began is lost or seen twice, whatever is asked meanwhile.
    @Test(arguments: [QuestionState.pending, nil], [1, 2, 7, 50])
    func aWalkKeepsItsPlaceWhileOthersAsk(state: QuestionState?, limit: Int) async throws {
        try await TestStore.with("lists_walk_\(state?.rawValue ?? "all")_\(limit)") { test in
            let end = Instant.present.adding(milliseconds: 3_600_000)
            var before: [Identifier] = []
            for number in 0..<40 {
                let expiration = end.adding(milliseconds: Int64(number / 8))
                let ask = Samples.ask(
                    CallerID(trusted: "p-\(number % 5)"), CallerID(trusted: "s-\(number)"), expiration: expiration)
                before.append(try #require(try await test.run(ask).question?.id))
            }
            let over = Flag()
            let asking = Task {
                for number in 0... {
                    if await over.isRaised { break }
                    let expiration = end.adding(milliseconds: Int64(number % 8) - 1)
                    let subject = CallerID(trusted: "meanwhile-\(number)")
                    _ = try await test.run(Samples.ask("p-0", subject, expiration: expiration))
                }
            }
            var seen: [Identifier] = []
            for _ in 0..<2 {
                let found = try await walk(test, QuestionFilter(state: state, expiringBefore: nil), limit: limit)
                seen = found.map(\.id)
                #expect(Set(seen).count == seen.count)
                #expect(Set(seen).isSuperset(of: before))
                #expect(found == naive(QuestionFilter(state: state), found.map { ("p", $0) }))
            }
            await over.raise()
            try await asking.value
        }
    }

    @Test func anOverdueQuestionIsNowhereReadAsPending() async throws {
        try await TestStore.with("lists_overdue") { test in
            let question = try await test.ask("p", "screen-time", expiringIn: 300)
            let end = question.expiration
            _ = try await test.run(Samples.ask("p", "later"))
            // Every read tells of one side of the deadline or of the other, never of both.
            var isPast = false
            while !isPast {
                let record = try #require(try await test.store.question(test.app, question.id))
                isPast = record.readAt >= end
                #expect((record.question.state == .expired) == isPast)
                let pending = try await test.store.questions(
                    test.app, QuestionFilter(state: .pending), after: nil, limit: 10)
                for record in pending.rows where record.question.id == question.id { #expect(record.readAt < end) }
            }
            #expect(try test.count("select count(*) from question where state = 'pending'") == 2)
            let record = try #require(try await test.store.question(test.app, question.id))
            #expect(record.question.resolution == Resolution(by: .silence, at: end, reason: nil))
            #expect(record.question.allowedActions(at: record.readAt).isEmpty)
            let pending = try await test.store.questions(
                test.app, QuestionFilter(state: .pending), after: nil, limit: 10)
            #expect(pending.rows.count == 1 && pending.rows.first?.question.id != question.id)
            let expired = try await test.store.questions(
                test.app, QuestionFilter(state: .expired), after: nil, limit: 10)
            #expect(expired.rows.map(\.question) == [record.question])
            for filter in [QuestionFilter(), QuestionFilter(person: "p")] {
                let counts = try await test.store.questionCounts(test.app, filter)
                #expect(counts[.pending] == 1 && counts[.expired] == 1)
                var pending = filter
                pending.state = .pending
                #expect(try await test.store.questionCounts(test.app, pending)[.expired] == 0)
            }
            #expect(try await test.run(Samples.approval(question.id)).refusal?.shown?.state == .expired)
            // Asked again, it gives way to a new one.
            let again = try await test.run(Samples.ask("p"))
            #expect(again.asked == .created && again.question?.id != question.id)
        }
    }
}
