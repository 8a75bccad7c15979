import Consent
import Crypto
import HTTPServer
import Testing

@testable import API

/// Tokens of browsers: what each may do, about whom, and for how long.
struct TokenTests {
    private func ask(_ client: HTTPClient, _ person: String, _ product: String = "x") async throws -> HTTPClient.Reply {
        try await client.post(
            "/v1/questions",
            #"{"person":"\#(person)","topic":{"kind":"purchase","product":"\#(product)"},"description":"d"}"#)
    }

    private func id(_ reply: HTTPClient.Reply) throws -> String {
        guard let id = reply.json.id.string else { throw TestFailure(reply.text) }
        return id
    }

    // MARK: Making one

    @Test func whoMayMakeOne() async throws {
        let app = try await TestService.get().newApp()
        let body = #"{"person":"p-1","actions":["access.read"]}"#
        #expect(try await app.service.post("/v1/tokens", body).status == 201)
        #expect(try await app.admin.post("/v1/tokens?app=\(app.id)", body).status == 201)
        #expect(try await app.admin.post("/v1/tokens", body).slug == "app-required")
        #expect(try await app.admin.post("/v1/tokens?app=no-such-app", body).slug == "app-not-found")
        #expect(try await app.viewer.post("/v1/tokens", body).slug == "forbidden")
        #expect(try await app.anybody.post("/v1/tokens", body).slug == "unauthenticated")
        #expect(try await app.token(person: "p-1").post("/v1/tokens", body).slug == "token-not-allowed")
        #expect(try await app.service.post("/v1/tokens", body, [("Idempotency-Key", "bad key")]).status == 400)
        let one = try await app.service.post("/v1/tokens", body, [("Idempotency-Key", "k")])
        let two = try await app.service.post("/v1/tokens", body, [("Idempotency-Key", "k")])
        #expect(one.status == 201 && two.status == 201 && one.json.token.string != two.json.token.string)
        #expect(one.headers["cache-control"] == "no-store")
    }

    @Test(arguments: [
        (#"{}"#, ["", "/actions"]),
        (#"{"person":"p","guardian":"g","actions":["question.read"]}"#, [""]),
        (#"{"person":"p","actions":[]}"#, ["/actions"]),
        (#"{"person":"p","actions":["question.answer","access.read","x"]}"#, ["/actions/0", "/actions/2"]),
        (
            #"{"guardian":"g","actions":["question.read","question.create","access.read"]}"#,
            ["/actions/1", "/actions/2"]
        ),
        (#"{"person":"p","actions":["access.read","access.read"]}"#, ["/actions/1"]),
        (#"{"person":"p","actions":["access.read"],"expiresInSeconds":0}"#, ["/expiresInSeconds"]),
        (#"{"person":"p","actions":["access.read"],"expiresInSeconds":3601}"#, ["/expiresInSeconds"]),
        (#"{"person":"p","actions":["access.read"],"role":"admin"}"#, ["/role"]),
        (#"{"person":"","actions":["access.read"]}"#, ["/person"]),
        (#"{"person":null,"guardian":null,"actions":["question.read"]}"#, [""]),
    ])
    func namesEveryWrongField(body: String, pointers: [String]) async throws {
        let app = try await TestService.get().newApp()
        let reply = try await app.service.post("/v1/tokens", body)
        #expect(reply.slug == "invalid-body" && reply.pointers.sorted() == pointers.sorted(), "\(reply.text)")
    }

    // MARK: A person's

    @Test func aPersonSeesAndAsksForThemselvesAlone() async throws {
        let app = try await TestService.get().newApp()
        for person in ["p-1", "p-2"] { _ = try await app.service.put("/v1/persons/\(person)", "{}") }
        let foreign = try id(await ask(app.service, "p-2"))
        let client = try await app.token(person: "p-1")
        let own = try await ask(client, "p-1")
        #expect(own.status == 201)
        let other = try await ask(client, "p-2")
        #expect(other.status == 403 && other.slug == "not-token-subject")
        #expect(try await client.get("/v1/questions/\(id(own))").status == 200)
        #expect(try await client.get("/v1/questions/\(id(own))/answers").status == 200)
        for path in ["", "/events", "/answers"] {
            let hidden = try await client.get("/v1/questions/\(foreign)\(path)")
            let none = try await client.get("/v1/questions/01930000-0000-7000-8000-000000000000\(path)")
            #expect(hidden.status == 404 && hidden.slug == none.slug, "\(path): \(hidden.text)")
        }
        #expect(try await client.post("/v1/questions/\(foreign)/cancellation", "{}").slug == "question-not-found")
        let list = try await client.get("/v1/questions")
        #expect(list.json["data"].array.compactMap { $0.id.string } == [try id(own)])
        #expect(try await client.get("/v1/questions?person=p-1").json["data"].array.count == 1)
        #expect(try await client.get("/v1/questions?person=p-2").slug == "person-not-found")
        #expect(try await client.get("/v1/questions?person=nobody").slug == "person-not-found")
        #expect(try await client.get("/v1/questions?guardian=g-1").slug == "not-token-subject")
        #expect(try await client.get("/v1/questions/counts").json["pending"].int == 1)
        #expect(try await client.get("/v1/persons/p-1/access").status == 200)
        for person in ["p-2", "nobody"] {
            #expect(try await client.get("/v1/persons/\(person)/access").slug == "person-not-found")
            #expect(try await client.get("/v1/persons/\(person)/history").slug == "person-not-found")
            #expect(try await client.get("/v1/events?person=\(person)").slug == "person-not-found")
            #expect(try await client.post("/v1/persons/\(person)/questions", "{}").slug == "person-not-found")
        }
        let events = try await client.get("/v1/events")
        #expect(
            events.json["data"].array.allSatisfy { $0["person"].string == "p-1" }
                && events.json["data"].array.count == 2)
        #expect(try await client.get("/v1/events?question=\(foreign)").slug == "question-not-found")
        let mine = try await client.get("/v1/events?question=\(id(own))")
        #expect(mine.json["data"].array.count == 1, "\(mine.text)")
        #expect(
            try await client.post("/v1/questions/\(id(own))/cancellation", "{}").json["state"].string == "cancelled")
        #expect(try await client.get("/v1/questions?app=\(app.id)").status == 200)
        #expect(try await client.get("/v1/questions?app=another").slug == "forbidden")
    }

    /// No token reads a person, so neither does one that asks about somebody who is not to be asked about.
    @Test func aRefusalShowsATokenNoFacts() async throws {
        let app = try await TestService.get().newApp()
        let facts = #"{"ageRange":{"lowerBound":18,"declaration":"confirmed"},"region":"US-TX"}"#
        _ = try await app.service.put("/v1/persons/p-1", facts)
        let client = try await app.token(person: "p-1", ["question.create"])
        for (asked, isKeys) in [(try await ask(app.service, "p-1"), true), (try await ask(client, "p-1"), false)] {
            #expect(asked.slug == "not-available")
            #expect((asked.json["current"]["region"].string != nil) == isKeys, "\(asked.text)")
        }
    }

    @Test func nothingOfAnotherApp() async throws {
        let app = try await TestService.get().newApp(), other = try await TestService.get().newApp()
        for one in [app, other] { _ = try await one.service.put("/v1/persons/p-1/guardians/g-1", "{}") }
        let foreign = try id(await ask(other.service, "p-1"))
        let clients = [try await app.token(person: "p-1"), try await app.token(guardian: "g-1")]
        for client in clients {
            #expect(try await client.get("/v1/questions").json["data"].array.isEmpty)
            #expect(try await client.get("/v1/questions/\(foreign)").slug == "question-not-found")
            let events = try await client.get("/v1/events").json["data"].array
            #expect(!events.isEmpty && events.allSatisfy { $0["app"].string == app.id })
        }
    }

    @Test func whatAChildMayNotSay() async throws {
        let app = try await TestService.get().newApp()
        let client = try await app.token(person: "p-1")
        let reply = try await client.post(
            "/v1/questions",
            #"{"person":"p-1","topic":{"kind":"purchase","product":"x"},"description":"d","quorum":1}"#)
        #expect(reply.slug == "invalid-body" && reply.pointers == ["/quorum"])
        #expect(try await client.post("/v1/persons/p-1/questions", #"{"quorum":1}"#).pointers == ["/quorum"])
    }

    @Test func anErasedPersonsTokenReachesNobody() async throws {
        let app = try await TestService.get().newApp()
        _ = try await app.service.put("/v1/persons/p-1", "{}")
        let old = try await app.token(person: "p-1")
        let question = try id(await ask(old, "p-1"))
        #expect(try await app.service.delete("/v1/persons/p-1").status == 204)
        for isThereAgain in [false, true] {
            if isThereAgain { _ = try await app.service.put("/v1/persons/p-1", "{}") }
            #expect(try await old.get("/v1/persons/p-1/access").slug == "person-not-found")
            #expect(try await old.get("/v1/questions").slug == "person-not-found")
            #expect(try await old.get("/v1/questions/counts").slug == "person-not-found")
            #expect(try await old.get("/v1/questions/\(question)").slug == "question-not-found")
            #expect(try await old.get("/v1/events").slug == "person-not-found")
            #expect(try await old.get("/v1/persons/p-1/history").slug == "person-not-found")
            #expect(try await ask(old, "p-1", "y").slug == "person-not-found")
            #expect(try await old.post("/v1/persons/p-1/questions", "{}").slug == "person-not-found")
            // A refused wish leaves nobody behind.
            #expect(try await app.service.get("/v1/persons/p-1").status == (isThereAgain ? 200 : 404))
        }
        let fresh = try await app.token(person: "p-1")
        #expect(try await fresh.get("/v1/questions").json["data"].array.isEmpty)
        #expect(try await fresh.get("/v1/questions/\(question)").slug == "question-not-found")
    }

    @Test func aTokenMayComeBeforeItsPerson() async throws {
        let app = try await TestService.get().newApp()
        let client = try await app.token(person: "new")
        #expect(try await client.get("/v1/questions").json["data"].array.isEmpty)
        #expect(try await client.get("/v1/events").slug == "person-not-found")
        #expect(try await ask(client, "new").status == 201)
        #expect(try await client.get("/v1/questions").json["data"].array.count == 1)
        #expect(!(try await client.get("/v1/events")).json["data"].array.isEmpty)
    }

    @Test func idempotencyIsTheSubjects() async throws {
        let app = try await TestService.get().newApp()
        let body = #"{"person":"p-1","topic":{"kind":"purchase","product":"x"},"description":"d"}"#
        let key = [("Idempotency-Key", "k")]
        let first = try await app.token(person: "p-1").post("/v1/questions", body, key)
        // Another token of the same person is the same caller; the service is another.
        let again = try await app.token(person: "p-1").post("/v1/questions", body, key)
        #expect(again.headers["idempotency-replayed"] == "true" && again.json.id == first.json.id)
        let service = try await app.service.post("/v1/questions", body, key)
        #expect(service.headers["idempotency-replayed"] == nil && service.status == 200)
        // Whoever has the id after an erasure is told nothing of what the other was.
        _ = try await app.service.delete("/v1/persons/p-1")
        _ = try await app.service.put("/v1/persons/p-1", "{}")
        let later = try await app.token(person: "p-1").post("/v1/questions", body, key)
        #expect(later.slug == "question-not-found", "\(later.text)")
    }

    // MARK: A guardian's

    @Test func aGuardianReadsAndAnswersForLinkedPersons() async throws {
        let app = try await TestService.get().newApp()
        for person in ["p-1", "p-2", "p-3"] { _ = try await app.service.put("/v1/persons/\(person)", "{}") }
        for (person, guardian) in [("p-1", "g-1"), ("p-2", "g-2"), ("p-2", "g-1")] {
            _ = try await app.service.put("/v1/persons/\(person)/guardians/\(guardian)", "{}")
        }
        let one = try id(await ask(app.service, "p-1")), two = try id(await ask(app.service, "p-2"))
        let three = try id(await ask(app.service, "p-3"))
        let client = try await app.token(guardian: "g-1")
        #expect(
            Set(try await client.get("/v1/questions").json["data"].array.compactMap { $0.id.string }) == [one, two])
        #expect(try await client.get("/v1/questions?person=p-2").json["data"].array.count == 1)
        #expect(try await client.get("/v1/questions?person=p-3").json["data"].array.isEmpty)
        #expect(try await client.get("/v1/questions?guardian=g-1").json["data"].array.count == 2)
        #expect(try await client.get("/v1/questions?guardian=g-2").slug == "not-token-subject")
        #expect(try await client.get("/v1/questions/counts").json["pending"].int == 2)
        #expect(try await client.get("/v1/questions/\(three)").slug == "question-not-found")
        let answer = #"{"guardian":"g-1","answer":"approval"}"#
        // Without links the service may name any guardian; a token never speaks where there is none.
        #expect(try await client.post("/v1/questions/\(three)/answers", answer).slug == "question-not-found")
        let forged = try await client.post("/v1/questions/\(one)/answers", #"{"guardian":"g-2","answer":"approval"}"#)
        #expect(forged.slug == "not-token-subject")
        let verified = try await client.post(
            "/v1/questions/\(one)/answers",
            #"{"guardian":"g-1","answer":"approval","verification":{"method":"id-document"}}"#)
        #expect(verified.pointers == ["/verification"])
        #expect(try await client.post("/v1/questions/\(one)/answers", answer).json["state"].string == "approved")
        let many = #"{"guardian":"g-1","answers":[{"question":"\#(two)","answer":"denial","revision":1}]}"#
        #expect(try await client.post("/v1/persons/p-3/answers", many).slug == "person-not-found")
        #expect(try await client.post("/v1/persons/p-1/answers", many).json["data"].array.first?["status"].int == 404)
        #expect(try await client.post("/v1/persons/p-2/answers", many).json["data"].array.first?["status"].int == 200)
        let forgedMany = many.replacing("g-1", with: "g-2")
        #expect(try await client.post("/v1/persons/p-2/answers", forgedMany).slug == "not-token-subject")
        // The link counts when the request is answered.
        _ = try await app.service.delete("/v1/persons/p-1/guardians/g-1")
        #expect(try await client.get("/v1/questions/\(one)").slug == "question-not-found")
        #expect(try await client.get("/v1/questions").json["data"].array.compactMap { $0.id.string } == [two])
        #expect(try await client.post("/v1/questions/\(one)/answers", answer).slug == "question-not-found")
        #expect(try await client.get("/v1/persons/p-1/history").slug == "person-not-found")
    }

    @Test func aGuardiansEventsAreThoseOfTheirLinks() async throws {
        let app = try await TestService.get().newApp()
        let service = app.service
        _ = try await service.put("/v1/persons/p-1", "{}")
        _ = try await ask(service, "p-1", "before")
        _ = try await service.put("/v1/persons/p-1/guardians/g-1", "{}")
        _ = try await ask(service, "p-1", "during")
        _ = try await service.delete("/v1/persons/p-1/guardians/g-1")
        _ = try await ask(service, "p-1", "between")
        _ = try await service.put("/v1/persons/p-2/guardians/g-2", "{}")
        _ = try await ask(service, "p-2", "foreign")
        let client = try await app.token(guardian: "g-1")
        func told(_ query: String = "") async throws -> [String] {
            let page = try await client.get("/v1/events\(query)")
            return page.json["data"].array.compactMap {
                ($0["type"].string ?? "") + ($0["data"]["topic"]["product"].string.map { " \($0)" } ?? "")
            }
        }
        // Not linked now: their links' own events, and nothing else.
        #expect(try await told() == ["guardian.linked", "guardian.unlinked"])
        _ = try await service.put("/v1/persons/p-1/guardians/g-1", "{}")
        _ = try await ask(service, "p-1", "again")
        let expected = [
            "guardian.linked", "question.created during", "guardian.unlinked", "guardian.linked",
            "question.created again",
        ]
        #expect(try await told() == expected)
        #expect(try await told("?person=p-1") == expected)
        #expect(try await told("?type=question.*") == ["question.created during", "question.created again"])
        let history = try await client.get("/v1/persons/p-1/history")
        #expect(history.json["data"].array.compactMap { $0["type"].string }.count == 5)
        var walked: [String] = []
        var after = ""
        while true {
            let page = try await client.get("/v1/events?limit=2\(after)")
            let types = page.json["data"].array.compactMap { $0["type"].string }
            if types.isEmpty { break }
            walked += types
            after = "&after=\(page.json["nextCursor"].string ?? "")"
        }
        #expect(walked == expected.map { String($0.prefix { $0 != " " }) })
    }

    // MARK: Ends

    @Test func endsAtItsTime() async throws {
        let app = try await TestService.get().newApp()
        let client = try await app.token(person: "p-1", seconds: 10)
        #expect(try await client.get("/v1/questions").status == 200)
        try await Task.sleep(for: .milliseconds(10_100))
        let late = try await client.get("/v1/questions")
        #expect(late.slug == "unauthenticated" && late.headers["www-authenticate"]?.contains("invalid_token") == true)
    }

    @Test func endsWithTheKeyThatMadeIt() async throws {
        let app = try await TestService.get().newApp()
        let made = try await app.admin.post("/v1/apps/\(app.id)/keys", #"{"role":"service"}"#)
        let maker = HTTPClient(port: app.service.port, key: made.json["key"].string)
        let reply = try await maker.post("/v1/tokens", #"{"person":"p-1","actions":["question.read"]}"#)
        let client = HTTPClient(port: app.service.port, key: reply.json.token.string)
        #expect(try await client.get("/v1/questions").status == 200)
        _ = try await app.admin.delete("/v1/apps/\(app.id)/keys/\(made.json.id.string ?? "")")
        #expect(try await client.get("/v1/questions").slug == "unauthenticated")
    }

    @Test func browsersOfOtherAppsReadNothing() async throws {
        let origin = "https://app-\(UInt64.random(in: 0...UInt64.max)).example"
        let app = try await TestService.get().newApp(#"{"name":"T","allowedOrigins":["\#(origin)"]}"#)
        let other = try await TestService.get().newApp()
        let header = [("Origin", origin)]
        let own = try await app.token(person: "p-1").get("/v1/questions", header)
        #expect(own.headers["access-control-allow-origin"] == origin)
        let refused = try await app.token(person: "p-1").get("/v1/apps", header)
        #expect(refused.status == 403 && refused.headers["access-control-allow-origin"] == origin)
        let foreign = try await other.token(person: "p-1").get("/v1/questions", header)
        #expect(
            foreign.headers["access-control-allow-origin"] == nil && foreign.headers["vary"]?.contains("Origin") == true
        )
    }

    @Test func publishesItsKeys() async throws {
        let app = try await TestService.get().newApp()
        let text = try await app.token(person: "p-1").key ?? ""
        let page = try await app.anybody.get("/.well-known/jwks.json")
        #expect(page.status == 200 && page.headers["cache-control"] == "public, max-age=300")
        #expect(page.headers["content-type"] == "application/jwk-set+json")
        let parsed = try #require(TokenText(Array(text.utf8)[...]))
        let key = try #require(page.json["keys"].array.first { $0["kid"].string == parsed.keyID.text })
        let x = try #require(key["x"].string.flatMap { Base64URL.decode($0) })
        let y = try #require(key["y"].string.flatMap { Base64URL.decode($0) })
        let verifier = try #require(ES256Key(point: [4] + x + y))
        #expect(parsed.proven(by: verifier)?.app.text == app.id)
        #expect(key["alg"].string == "ES256" && key["use"].string == "sig" && key["crv"].string == "P-256")
    }
}
