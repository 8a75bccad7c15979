import Consent
import Store
import TestSupport
import Testing

/// The log as it is read back.
@Suite(.timeLimit(.minutes(5))) struct EventTests {
    /// Text that is hard on a writer of JSON.
    private static let hard = "\u{1F600} \"quoted\" \\ back\nline\ttab \u{2028} \u{7f} </script> e\u{301} \u{feff}"

    @Test func everyKindOfEventComesBackAsItWas() async throws {
        try await TestStore.with("events_kinds") { test in
            let facts = PersonFacts(
                ageRange: .range(lower: nil, upper: 17, declaration: Self.hard), duties: .features(["a", "b\u{e9}"]),
                original: OriginalVersion(value: Self.hard, kind: .version, environment: .production), region: "US-TX")
            let change = ChangeSettings(
                version: nil, build: "104", features: [], descriptions: [LocalizedText(language: "x", text: Self.hard)])
            let settings = AppSettings(
                name: Self.hard, bundleID: "b", appAppleID: "9007199254740993", environments: [.sandbox],
                allowedOrigins: ["https://a.example"],
                policy: Samples.unusualPolicy)
            let new = NewKey(
                id: Identifier(high: .max, low: .max), role: .service, label: Self.hard,
                rateLimit: RateLimit(requests: 1_000_000, seconds: 3_600),
                secretHash: Array(repeating: 255, count: 32))
            let replies = [
                try await test.run(.putPerson("p", facts, .none)),
                try await test.run(.putChange("c", change, .none)),
                try await test.run(.createKey(new)),
                try await test.run(.link(person: "p", guardian: "g\u{1F600}")),
                try await test.run(.unlink(person: "p", guardian: "g\u{1F600}")),
                try await test.run(.revokeKey(new.id)),
                try await test.run(.putApp(settings, .none)),
            ]
            let events = try await test.log().dropFirst()
            #expect(events.count == replies.count)
            let data = events.map(\.data)
            let person = try #require(replies[0].person)
            #expect(
                data[0]
                    == .person(
                        facts, rescindedAt: nil, revision: 1, createdAt: person.createdAt, updatedAt: person.updatedAt))
            guard case .done(.change(let registered, created: true)) = replies[1],
                case .done(.key(let key)) = replies[2], case .done(.app(let app, created: false)) = replies[6]
            else {
                Issue.record("unexpected replies")
                return
            }
            #expect(data[1] == .change(registered))
            #expect(data[2] == .key(key))
            #expect(data[3] == .linked(guardian: "g\u{1F600}"))
            #expect(data[4] == .unlinked(guardian: "g\u{1F600}", voided: []))
            guard case .key(let revoked) = data[5] else {
                Issue.record("no key in the event")
                return
            }
            #expect(revoked.revokedAt == events[6].at && revoked.label == Self.hard)
            #expect(data[6] == .app(app))
            #expect(events.map(\.personRef) == [person.ref, nil, nil, person.ref, person.ref, nil, nil])
            #expect(events.map(\.person) == ["p", nil, nil, "p", "p", nil, nil])
            #expect(events.map(\.revision) == [1, 1, nil, nil, nil, nil, 2])
        }
    }

    @Test func everyKindOfFactsComesBackAsItWas() async throws {
        try await TestStore.with("events_facts") { test in
            let kinds: [PersonFacts] = [
                .unknown, PersonFacts(ageRange: .declined), PersonFacts(duties: .unavailable),
                PersonFacts(duties: .unsupported), PersonFacts(duties: .features([])),
                PersonFacts(ageRange: .range(lower: nil, upper: nil, declaration: nil)),
                PersonFacts(ageRange: .range(lower: 0, upper: 150, declaration: "")),
                PersonFacts(original: OriginalVersion(value: "1", kind: .build, environment: .sandbox)),
            ]
            for (number, facts) in kinds.enumerated() {
                _ = try await test.run(.putPerson(CallerID(trusted: "p-\(number)"), facts, .none))
                let read = try await test.store.person(test.app, CallerID(trusted: "p-\(number)"))
                #expect(read?.facts == facts)
            }
            let told = try await test.log().dropFirst().map { event -> PersonFacts? in
                if case .person(let facts, rescindedAt: nil, revision: 1, createdAt: _, updatedAt: _) = event.data {
                    facts
                } else {
                    nil
                }
            }
            #expect(told == kinds)
        }
    }

    /// Each event shows its question as it was then, however far the question has come since.
    @Test func eventsOfAQuestionTellItsWholeLife() async throws {
        try await TestStore.with("events_life", policy: Policy(askAgainSeconds: 0)) { test in
            let handles: [CallerID] = ["b", "a"]
            let ask = AskRequest(
                person: "p", topic: .communication(handles: handles), description: Self.hard, language: "en", quorum: 2)
            let first = try #require(try await test.run(.ask(ask)).question)
            _ = try await test.run(Samples.ask("p", "another"))
            let steps: [(CallerID, AnswerKind)] = [
                ("g-1", .approval), ("g-2", .approval), ("g-1", .denial), ("g-1", .approval), ("g-3", .denial),
            ]
            var shown = [first]
            for (guardian, kind) in steps {
                let answer = AnswerRequest(
                    guardian: guardian, kind: kind, reason: Self.hard,
                    verification: Verification(method: Self.hard, reference: Self.hard))
                shown.append(try #require(try await test.run(.answer(question: first.id, answer)).question))
            }
            let second = try #require(try await test.run(.ask(ask)).question)
            let page = try #require(
                try await test.store.events(test.app, .question(first.id), after: 0, limit: 100))
            #expect(
                page.events.map(\.type) == [
                    .questionCreated, .questionAnswered, .questionApproved, .questionRevoked, .questionApproved,
                    .questionRevoked, .questionSuperseded,
                ])
            for (event, question) in zip(page.events, shown) {
                guard case .question(let past, let answer) = event.data else {
                    Issue.record("no question in the event")
                    return
                }
                #expect(past == question.bare)
                #expect(event.revision == question.revision && event.at == question.updatedAt)
                #expect(answer == question.latestAnswers.max { $0.revision < $1.revision })
            }
            guard case .question(let superseded, nil) = page.events.last?.data else {
                Issue.record("no superseded question")
                return
            }
            #expect(superseded.supersededBy == second.id && superseded.resolution == shown.last?.resolution)
            let answers = try await test.store.answers(test.app, question: first.id)
            #expect(answers == shown.dropFirst().compactMap { $0.latestAnswers.max { $0.revision < $1.revision } })
        }
    }

    @Test func pagesFollowEachOther() async throws {
        try await TestStore.with("events_pages") { test in
            for number in 0..<12 { _ = try await test.run(Samples.ask("p", CallerID(trusted: "s-\(number)"))) }
            let all = try await test.log()
            #expect(all.map(\.seq) == Array(1...14))
            let feed = try test.texts("select feed_id from app")[0]
            for limit in [1, 3, 14, 100] {
                var seen: [Int64] = []
                var after: Int64 = 0
                while true {
                    let page = try #require(try await test.store.events(test.app, .all, after: after, limit: limit))
                    #expect(page.feed == feed && page.events.count <= limit)
                    #expect(page.last == page.events.last?.seq ?? after)
                    if page.events.isEmpty { break }
                    seen += page.events.map(\.seq)
                    after = page.last
                }
                #expect(seen == Array(1...14))
            }
            let nobody = Identifier(high: 1, low: 1)
            #expect(try await test.store.events(test.app, .question(nobody), after: 0, limit: 1) == nil)
            #expect(try await test.store.events(AppID(trusted: "no"), .all, after: 0, limit: 1) == nil)
            #expect(try await test.store.events(test.app, .all, after: .max, limit: 1)?.last == .max)
            guard case .question(let question, answer: _) = all[5].data else {
                Issue.record("no question in the event")
                return
            }
            let own = try await test.store.events(test.app, .question(question.id), after: all[5].seq, limit: 10)
            #expect(own?.events.isEmpty == true && own?.last == all[5].seq)
        }
    }

    @Test func aMissingCounterLetsNothingBeCommitted() async throws {
        try await TestStore.with("events_counter") { test in
            try test.execute("delete from event_counter")
            let before = try test.dump()
            await #expect(throws: StoreFailure.broken(sqlState: "23502")) {
                try await test.run(Samples.ask("p"), key: Samples.key("k"))
            }
            #expect(try test.dump() == before)
        }
    }

    @Test func appsHaveLogsOfTheirOwn() async throws {
        try await TestStore.with("events_apps") { test in
            let apps = (0..<5).map { AppID(trusted: "app-\($0)") }
            for app in apps { _ = try await test.run(.putApp(AppSettings(name: "A"), .none), app: app) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    let app = apps[number % apps.count]
                    group.addTask {
                        let reply = try await test.run(Samples.ask(CallerID(trusted: "p-\(number % 10)")), app: app)
                        guard let id = reply.question?.id else { return }
                        _ = try await test.run(Samples.approval(id), app: app)
                        // Another app knows nothing of it.
                        let elsewhere = apps[(number + 1) % apps.count]
                        #expect(try await test.run(Samples.denial(id), app: elsewhere).refusal == .unknownQuestion)
                        #expect(try await test.store.question(elsewhere, id) == nil)
                    }
                }
                try await group.waitForAll()
            }
            for app in apps { try await LogReplay(app, try await test.log(app)).model.expectSame(as: test) }
        }
    }
}
