import Consent
import TestSupport
import Testing

@testable import Store

/// A keyed request counts once, however often and wherever it comes.
@Suite(.timeLimit(.minutes(5))) struct IdempotencyTests {
    @Test func aRepeatIsToldWhatHappened() async throws {
        try await TestStore.with("keys_repeat") { test in
            let question = try #require(try await test.run(Samples.ask("p"), key: Samples.key("ask")).question)
            let new = NewKey(
                id: Identifier(high: 3, low: 3), role: .service, label: "", secretHash: Array(repeating: 3, count: 32))
            let item = AnswerItem(question: question.id, answer: .init(guardian: "g", kind: .approval), revision: 1)
            let unknown = AnswerItem(question: new.id, answer: .init(guardian: "g", kind: .approval), revision: 1)
            _ = try await test.run(.putPerson("adult", Samples.adult, .none))
            let commands: [(String, Command, Int, ResourceName)] = [
                ("ask", Samples.ask("p"), 201, .question(question.id)),
                (
                    "many", .answerMany(person: "p", [item, unknown]), 200,
                    .answers(
                        person: "p",
                        [
                            .init(question: question.id, refusal: nil),
                            .init(question: new.id, refusal: "unknownQuestion"),
                        ])
                ),
                ("answer", Samples.denial(question.id), 200, .question(question.id)),
                ("person", .putPerson("ren\u{e9}", Samples.minor, .absent), 201, .person("ren\u{e9}")),
                ("link", .link(person: "p", guardian: "g"), 201, .link(person: "p", guardian: "g")),
                ("unlink", .unlink(person: "p", guardian: "g"), 204, .nothing),
                ("change", .putChange("video", Samples.change, .absent), 201, .change("video")),
                (
                    "seen", .acknowledge(person: "adult", change: "video"), 201,
                    .acknowledgment(person: "adult", change: "video")
                ),
                ("app", .putApp(AppSettings(name: "Other"), .revisions([1])), 200, .app),
                ("key", .createKey(new), 201, .key(new.id)),
                ("revoke", .revokeKey(new.id), 204, .nothing),
            ]
            for (key, command, _, _) in commands.dropFirst() {
                #expect(try await test.run(command, key: Samples.key(key)).outcome != nil, "\(key)")
            }
            let before = try test.dump()
            for (key, command, status, resource) in commands {
                let replay = try await test.run(command, key: Samples.key(key)).replay
                #expect(replay?.status == status && replay?.resource == resource, "\(key)")
                #expect(try await test.run(command, key: Samples.key(key, 2)).refusal == .idempotencyKeyReused)
            }
            #expect(try test.dump() == before)
        }
    }

    @Test func aKeyBelongsToItsScopeAndApp() async throws {
        try await TestStore.with("keys_scope") { test in
            let other = AppID(trusted: "other")
            _ = try await test.run(.putApp(AppSettings(name: "Other"), .none), app: other)
            for (scope, app) in [("service", test.app), ("viewer", test.app), ("service", other)] {
                let reply = try await test.run(Samples.ask("p"), key: Samples.key("k", 1, scope: scope), app: app)
                #expect(reply.outcome != nil)
            }
            #expect(try test.count("select count(*) from idempotency") == 3)
        }
    }

    /// One person each, or the same for all: the row lock helps in the second case only.
    @Test(arguments: [false, true]) func manyAtOnceWithOneKeyCountOnce(samePerson: Bool) async throws {
        try await TestStore.with("keys_at_once_\(samePerson)") { test in
            let other = TestStore(test.settings)
            for round in 0..<6 {
                let replies = try await withThrowingTaskGroup(of: Reply.self) { group in
                    for number in 0..<24 {
                        let person = CallerID(trusted: samePerson ? "p" : "p-\(number)")
                        let store = number % 2 == 0 ? test : other
                        group.addTask {
                            try await store.run(
                                Samples.ask(person, CallerID(trusted: "round-\(round)")), key: Samples.key("k-\(round)")
                            )
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                let created = replies.compactMap(\.question)
                #expect(created.count == 1)
                #expect(replies.compactMap(\.replay?.resource) == Array(repeating: .question(created[0].id), count: 23))
                #expect(try test.count("select count(*) from question") == round + 1)
            }
            _ = try LogReplay(test.app, try await test.log())
            await other.store.stop(within: .seconds(5))
        }
    }

    /// A change may have the same id as a person: erasing that person is nothing to the replies about others.
    @Test func aChangesNameIsNoPersons() {
        let name = ResourceName.askedAll(
            person: "p", [.init(change: "c", result: .asked(.created), question: Identifier(high: 1, low: 1))])
        #expect(name.names("p") && !name.names("c"))
    }

    @Test func everyNameOfAResourceIsReadBack() {
        let id = Identifier(high: 0x0192_3456_789a_7bcd, low: 0x8fff_0000_1111_2222)
        let scope = AgeRatingScope(storefront: Storefront(trusted: "AUS"), environment: .sandbox)
        let names: [ResourceName] = [
            .question(id), .answers(person: "p q", []), .rescission(person: "p", .person),
            .rescission(person: "p", .change("c d")), .reinstatement(person: "p"),
            .answers(
                person: "\u{1F600}", [.init(question: id, refusal: nil), .init(question: id, refusal: "notAnAdult")]),
            .askedAll(person: "p", []),
            .askedAll(
                person: "p",
                [
                    .init(change: "c:d", result: .asked(.created), question: id),
                    .init(change: "p", result: .asked(.existing), question: id),
                    .init(change: "\u{1F600}", result: .refused("deniedRecently"), question: id),
                    .init(change: ":", result: .refused("changeWithdrawn"), question: nil),
                ]),
            .person("rene\u{301}"), .link(person: "p", guardian: "g"), .acknowledgment(person: "p", change: "c"),
            .change("c"), .ageRating(scope, .changed, previousCode: -4, change: "age-rating-aus-9-2"),
            .ageRating(scope, .sentinel, previousCode: nil, change: nil), .app, .key(id), .nothing,
            .notification(id),
            .account(person: "p", StoreAccount(store: .playStore, environment: .production, id: "i d")),
        ]
        for name in names { #expect(ResourceName(stored: name.stored) == name) }
        for text in [
            "", "z", "q", "q\u{1f}not-an-id", "p", "l\u{1f}p", "a\u{1f}x", "m", "m\u{1f}p\u{1f}short", "o",
            "o\u{1f}p\u{1f}created", "o\u{1f}p\u{1f}created:not-an-id:c", "o\u{1f}p\u{1f}::c",
        ] {
            #expect(ResourceName(stored: text) == nil, "\(text)")
        }
    }
}
