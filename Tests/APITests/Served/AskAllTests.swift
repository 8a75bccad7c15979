import Consent
import Foundation
import Testing

/// `POST /v1/persons/{person}/questions`: one question for each open change that needs one.
struct AskAllTests {
    static let child =
        #"{"ageRange":{"lowerBound":13,"upperBound":15},"requiredRegulatoryFeatures":["significantAppChangeRequiresParentalConsent"],"original":{"value":"1.5","kind":"version","environment":"production"}}"#

    /// An app with four changes, `old` from before the child came and `later` not in effect yet, and the child.
    private func ground(_ policy: String = "{}") async throws -> HTTPClient {
        let client = try await TestService.get().newApp(#"{"name":"T","policy":\#(policy)}"#).service
        for (change, version, more) in [
            ("calls", "2.0", ""), ("chat", "2.1", ""), ("old", "1.5", ""),
            ("later", "3.0", #","effectiveFrom":"2999-01-01T00:00:00Z""#),
        ] {
            let body =
                #"{"introducedIn":{"version":"\#(version)"},"descriptions":{"en":"Adds \#(change).","de":"Neu: \#(change)."}\#(more)}"#
            #expect(try await client.put("/v1/changes/\(change)", body).status == 201)
        }
        #expect(try await client.put("/v1/persons/p", Self.child).status == 201)
        return client
    }

    private func askAll(
        _ client: HTTPClient, _ body: String = "", _ headers: [(String, String)] = []
    ) async throws -> HTTPClient.Reply {
        try await client.post("/v1/persons/p/questions", body, headers)
    }

    private func say(_ client: HTTPClient, _ answer: String, _ question: JSON) async throws {
        let reply = try await client.post(
            "/v1/questions/\(question.id.string ?? "")/answers", #"{"guardian":"g","answer":"\#(answer)"}"#)
        #expect(reply.status == 200, "\(reply.text)")
    }

    @Test func whatIsOpenIsAskedOnceAndWhatStandsIsTold() async throws {
        let client = try await ground()
        let first = try await askAll(client)
        #expect(first.status == 200, "\(first.text)")
        #expect(first.json.members == ["data"])
        let items = first.json.data.array
        #expect(items.map(\.change) == ["calls", "chat"] && items.map(\.status) == [201, 201])
        for item in items {
            #expect(item.members == ["change", "status", "question"])
            let id = try #require(item.question.id.string)
            #expect(try await client.get("/v1/questions/\(id)").json == item.question)
        }
        let again = try await askAll(client, "{}")
        #expect(again.json.data.array.map(\.status) == [200, 200])
        #expect(again.json.data.array.map(\.question) == items.map(\.question))
        let events = try await client.get("/v1/persons/p/history").json.data.array
        #expect(events.map(\.type) == ["person.updated", "question.created", "question.created"])
        // One alone and all of them are the same question.
        let alone = try await client.post(
            "/v1/questions", #"{"person":"p","topic":{"kind":"significantAppUpdate","change":"chat"}}"#)
        #expect(alone.status == 200 && alone.json.id == items[1].question.id)
        #expect(try await client.get("/v1/persons/p/access").json.phase == "awaitingGuardian")
        #expect(try await client.get("/v1/changes/calls/progress").json.counts.pending == 1)
    }

    @Test func afterADenialItIsRefusedUntilTheDelayHasPassed() async throws {
        let client = try await ground()
        let first = try await askAll(client).json.data.array
        try await say(client, "denial", first[0].question)
        try await say(client, "approval", first[1].question)
        let headers = [("Idempotency-Key", "again")]
        let refused = try await askAll(client, "{}", headers)
        #expect(refused.status == 200)
        let items = refused.json.data.array
        #expect(items.map(\.status) == [409, 200])
        #expect(items[0].members == ["change", "status", "question", "problem", "retryAfter"])
        #expect(items[0].question == .null && items[0].problem.type == "/problems/denied-recently")
        #expect(items[0].problem.current.id == first[0].question.id && items[0].problem.current.state == "denied")
        let seconds = try #require(items[0].retryAfter.int)
        #expect((86_000...86_400).contains(seconds))
        #expect(items[1].question.state == "approved")
        // A repeat is told the same statuses, with the questions as they are now.
        try await say(client, "approval", first[0].question)
        try await say(client, "denial", first[1].question)
        let replayed = try await askAll(client, "{}", headers)
        #expect(replayed.headers["idempotency-replayed"] == "true" && replayed.status == 200)
        let repeated = replayed.json.data.array
        #expect(repeated.map(\.change) == ["calls", "chat"] && repeated.map(\.status) == [409, 200])
        #expect(repeated[0].problem.type == "/problems/denied-recently")
        #expect(repeated[0].problem.current.state == "approved" && repeated[1].question.state == "revoked")
    }

    @Test func withoutADelayWhatWasRefusedIsAskedAnew() async throws {
        let client = try await ground(#"{"askAgainSeconds":0}"#)
        let first = try await askAll(client).json.data.array
        try await say(client, "denial", first[0].question)
        let again = try await askAll(client).json.data.array
        #expect(again.map(\.status) == [201, 200] && again[0].question.id != first[0].question.id)
        let old = try await client.get("/v1/questions/\(first[0].question.id.string ?? "")")
        #expect(old.json.supersededBy == again[0].question.id)
    }

    @Test func whatTheBodyGivesCountsForEach() async throws {
        let client = try await ground()
        let end = Instant.inDays(30).text
        let reply = try await askAll(client, #"{"expirationDate":"\#(end)","quorum":2,"language":"de"}"#)
        let questions = reply.json.data.array.map(\.question)
        #expect(questions.map { $0["description"] } == ["Neu: calls.", "Neu: chat."])
        for question in questions {
            #expect(question.quorum == 2 && question.language == "de")
            #expect(question.expirationDate == .string(end))
        }
        let other = try await ground()
        let preferred = try await askAll(other, "", [("Accept-Language", "de")])
        #expect(preferred.json.data[0].question.language == "de")
    }

    @Test func aCreatedReplyIsReplayedWhateverCameSince() async throws {
        let client = try await ground()
        let headers = [("Idempotency-Key", "k")]
        let first = try await askAll(client, "{}", headers)
        #expect(try await askAll(client, "{}", headers).json == first.json)
        // Another change comes, and the key still stands for what was asked then.
        _ = try await client.put(
            "/v1/changes/more", #"{"introducedIn":{"version":"2.2"},"descriptions":{"en":"Adds more."}}"#)
        let later = try await askAll(client, "{}", headers)
        #expect(later.json == first.json && later.headers["idempotency-replayed"] == "true")
        #expect(try await askAll(client, "{}", [("Idempotency-Key", "l")]).json.data.array.count == 3)
        #expect(try await askAll(client, #"{"quorum":1}"#, headers).slug == "idempotency-key-reused")
    }

    @Test func nothingOpenIsNothingAsked() async throws {
        let client = try await ground()
        let everything = Self.child.replacing("1.5", with: "9.0")
        for facts in [everything, #"{"ageRange":{"upperBound":12},"requiredRegulatoryFeatures":[]}"#] {
            #expect(try await client.put("/v1/persons/p", facts).status == 200)
            let reply = try await askAll(client)
            #expect(reply.status == 200 && reply.json == ["data": []], "\(reply.text)")
        }
    }

    @Test func whatConcernsThePersonRefusesTheWhole() async throws {
        let client = try await ground()
        #expect(try await client.post("/v1/persons/nobody/questions", "").slug == "person-not-found")
        let unreachable = try await askAll(client, #"{"quorum":11}"#)
        #expect(unreachable.slug == "invalid-body" && unreachable.pointers == ["/quorum"])
        let early = try await askAll(client, #"{"expirationDate":"2020-01-01T00:00:00Z"}"#)
        #expect(early.slug == "expiration-not-acceptable" && early.pointers == ["/expirationDate"])
        let headers = [("Idempotency-Key", "k")]
        _ = try await client.put("/v1/persons/p/guardians/g-1", "{}")
        let two = try await askAll(client, #"{"quorum":2}"#, headers)
        #expect(two.status == 422 && two.slug == "quorum-unreachable" && two.pointers == ["/quorum"])
        // Nothing was kept: once it can be answered the same request succeeds.
        _ = try await client.put("/v1/persons/p/guardians/g-2", "{}")
        #expect(try await askAll(client, #"{"quorum":2}"#, headers).json.data.array.map(\.status) == [201, 201])

        let cases = [
            (#"{"ageRange":{"lowerBound":18,"declaration":"confirmed"}}"#, "not-available"),
            (#"{"ageRange":{"upperBound":12}}"#, "access-blocked"),
            (#"{"requiredRegulatoryFeatures":["significantAppChangeRequiresParentalConsent"]}"#, "access-blocked"),
        ]
        for (facts, slug) in cases {
            let person = try await client.put("/v1/persons/p", facts)
            let reply = try await askAll(client)
            #expect(reply.status == 409 && reply.slug == slug && reply.json.current == person.json, "\(reply.text)")
        }
        #expect(try await askAll(client).json.detail.string?.contains("ageUnknown") == true)
        _ = try await client.post("/v1/persons/p/rescission", #"{"scope":"person"}"#)
        let frozen = try await askAll(client)
        #expect(frozen.slug == "consent-rescinded" && frozen.json.current.id == "p")
    }

    @Test func whoMayAsk() async throws {
        let app = try await TestService.get().newApp()
        _ = try await app.service.put("/v1/persons/p", Self.child)
        #expect(try await askAll(app.viewer).status == 403)
        #expect(try await askAll(app.anybody).status == 401)
        #expect(try await app.admin.post("/v1/persons/p/questions?app=\(app.id)", "").json == ["data": []])
        #expect(try await askAll(app.service, #"{"person":"p"}"#).pointers == ["/person"])
    }
}
