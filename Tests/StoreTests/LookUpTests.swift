import Consent
import Postgres
import Store
import TestSupport
import Testing

/// Reads of one resource, and pages of changes and apps.
@Suite(.timeLimit(.minutes(5))) struct LookUpTests {
    @Test func whatIsNotThereIsToldApartFromWhatIsEmpty() async throws {
        try await TestStore.with("look_ups") { test in
            let nobody = Identifier(high: 1, low: 1)
            let (store, app) = (test.store, test.app)
            _ = try await test.run(.putPerson("p", Samples.adult, .none))
            let question = try #require(try await test.run(Samples.ask("child")).question)
            #expect(try await store.question(app, nobody) == nil)
            #expect(try await store.answers(app, question: nobody) == nil)
            #expect(try await store.answers(app, question: question.id) == [])
            #expect(try await store.person(app, "nobody") == nil)
            #expect(try await store.guardians(app, person: "nobody") == nil)
            #expect(try await store.guardians(app, person: "p") == [])
            #expect(try await store.acknowledgments(app, person: "nobody") == nil)
            #expect(try await store.acknowledgments(app, person: "p") == [])
            #expect(try await store.acknowledgment(app, person: "p", change: "video") == nil)
            #expect(try await store.change(app, "video") == nil)
            #expect(try await store.app(AppID(trusted: "nothing")) == nil)
            #expect(try await store.key(app, nobody) == nil)
            #expect(try await store.credential(nobody) == nil)
            #expect(try await store.allowedOrigins() == [:])
            #expect(
                try await store.questionCounts(AppID(trusted: "nothing"), QuestionFilter()).values.reduce(0, +) == 0)
        }
    }

    @Test func idsAreBytes() async throws {
        try await TestStore.with("look_up_bytes") { test in
            let composed: CallerID = "ren\u{e9}"
            let decomposed: CallerID = "rene\u{301}"
            _ = try await test.run(.putPerson(composed, Samples.minor, .none))
            _ = try await test.run(.putPerson(decomposed, Samples.adult, .none))
            #expect(try await test.store.person(test.app, composed)?.facts == Samples.minor)
            #expect(try await test.store.person(test.app, decomposed)?.facts == Samples.adult)
            for guardian in [composed, decomposed, "Z", "a"] {
                _ = try await test.run(.link(person: composed, guardian: guardian))
            }
            let order = try await test.store.guardians(test.app, person: composed)?.map(\.guardian)
            #expect(order == ["Z", "a", decomposed, composed])
        }
    }

    @Test func acknowledgmentsInTheOrderGiven() async throws {
        try await TestStore.with("look_up_seen") { test in
            _ = try await test.run(.putPerson("p", Samples.adult, .none))
            for change: CallerID in ["z", "a", "m"] {
                _ = try await test.run(.putChange(change, Samples.change, .none))
                _ = try await test.run(.acknowledge(person: "p", change: change))
            }
            let given = try #require(try await test.store.acknowledgments(test.app, person: "p"))
            #expect(given.map(\.change) == ["z", "a", "m"])
            #expect(try await test.store.acknowledgment(test.app, person: "p", change: "m") == given[2])
        }
    }

    @Test func pagesOfChangesAndApps() async throws {
        try await TestStore.with("look_up_pages") { test in
            let ids: [CallerID] = ["Z", "a", "a-1", "rene\u{301}", "ren\u{e9}", "\u{1F600}"]
            for id in ids.reversed() { _ = try await test.run(.putChange(id, Samples.change, .none)) }
            let apps = ["0", "b-1", "reader", "z"].map { AppID(trusted: $0) }
            for app in apps { _ = try await test.run(.putApp(AppSettings(name: "A"), .none), app: app) }
            for limit in [1, 2, 5, 6, 100] {
                var changes: [CallerID] = []
                while true {
                    let page = try await test.store.changes(test.app, after: changes.last, limit: limit)
                    changes += page.rows.map(\.id)
                    if !page.more { break }
                }
                #expect(changes == ids)
                var found: [AppID] = []
                while true {
                    let page = try await test.store.apps(after: found.last, limit: limit)
                    found += page.rows.map(\.id)
                    if !page.more { break }
                }
                #expect(found == apps)
            }
        }
    }

    @Test func keysOfTheAppAlone() async throws {
        try await TestStore.with("look_up_keys") { test in
            let other = AppID(trusted: "other")
            _ = try await test.run(.putApp(AppSettings(name: "Other"), .none), app: other)
            func new(_ number: UInt64) -> NewKey {
                NewKey(
                    id: Identifier(high: number, low: 1), role: .viewer, label: "\(number)",
                    secretHash: Array(repeating: UInt8(number), count: 32))
            }
            for number: UInt64 in [2, 1] { _ = try await test.run(.createKey(new(number))) }
            _ = try await test.run(.createKey(new(3)), app: other)
            #expect(try await test.store.keys(test.app).map(\.label) == ["1", "2"])
            #expect(try await test.store.key(test.app, new(3).id) == nil)
            #expect(try await test.run(.revokeKey(new(3).id)).refusal == .unknownKey)
            #expect(try await test.store.credential(new(3).id)?.key.app == other)
        }
    }

    @Test func anOperatorsKeysBelongToNoApp() async throws {
        try await TestStore.with("look_up_admins") { test in
            let connection = try Connection(test.settings)
            defer { connection.close() }
            let administration = Administration(connection)
            let id = Identifier(high: 5, low: 5)
            try administration.createAdminKey(id: id, label: "me", secretHash: Array(repeating: 5, count: 32))
            #expect(try administration.adminKeys().map(\.id) == [id])
            #expect(try await test.store.credential(id)?.key.role == .admin)
            #expect(try await test.store.credential(id)?.key.app == nil)
            #expect(try administration.revokeAdminKey(id))
            #expect(try !administration.revokeAdminKey(id))
            #expect(try administration.adminKeys().isEmpty)
            let before = try await test.store.events(test.app, .all, after: 0, limit: 1)?.feed
            let feed = try #require(try administration.renewFeed(test.app))
            #expect(feed != before)
            #expect(try await test.store.events(test.app, .all, after: 0, limit: 1)?.feed == feed)
            #expect(try administration.renewFeed(AppID(trusted: "nothing")) == nil)
        }
    }
}
