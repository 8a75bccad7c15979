import Testing

/// Consent taken back and given again, over HTTP.
struct RescissionTests {
    private let subject = #"{"kind":"custom","subject":"screen-time"}"#

    private func ask(_ client: HTTPClient, _ topic: String, _ text: String = #","description":"d""#) async throws
        -> JSON
    {
        let asked = try await client.post("/v1/questions", #"{"person":"p","topic":\#(topic)\#(text)}"#)
        guard asked.status == 201 || asked.status == 200 else { throw TestFailure(asked.text) }
        return asked.json
    }

    private func approve(_ client: HTTPClient, _ question: JSON) async throws -> HTTPClient.Reply {
        try await client.post(
            "/v1/questions/\(question.id.string ?? "")/answers", #"{"guardian":"g","answer":"approval"}"#)
    }

    @Test func aPersonIsFrozenAndComesBack() async throws {
        let app = try await TestService.get().newApp()
        let client = app.service
        _ = try await client.put("/v1/persons/p", #"{"ageRange":{"upperBound":12}}"#)
        let approved = try await ask(client, subject)
        _ = try await approve(client, approved)
        let pending = try await ask(client, #"{"kind":"purchase","product":"hat"}"#)

        let path = "/v1/persons/p/rescission"
        let reply = try await client.post(path, #"{"scope":"person","reason":"moved away"}"#)
        #expect(reply.status == 200, "\(reply.text)")
        #expect(reply.json.members == ["person", "personRef", "rescindedAt", "scope", "change", "ended"])
        #expect(reply.json.person == "p" && reply.json.scope == "person" && reply.json.change == .null)
        #expect(reply.json.ended.array == [approved.id, pending.id] && reply.json.rescindedAt.string != nil)
        let again = try await client.post(path, #"{"scope":"person"}"#)
        #expect(again.status == 200 && again.json == reply.json)

        let person = try await client.get("/v1/persons/p")
        #expect(person.json.rescindedAt == reply.json.rescindedAt && person.json.revision == 2)
        for (question, state) in [(approved, "revoked"), (pending, "cancelled")] {
            let read = try await client.get("/v1/questions/\(question.id.string ?? "")")
            #expect(read.json.state == .string(state) && read.json.resolution.by == "rescission")
            #expect(read.json.resolution.reason == "moved away" && read.json.allowedActions == [])
        }
        let refused = try await client.post(
            "/v1/questions", #"{"person":"p","topic":\#(subject),"description":"d"}"#)
        #expect(refused.slug == "consent-rescinded" && refused.json.current == person.json)
        let late = try await approve(client, approved)
        #expect(late.slug == "consent-rescinded" && late.json.current.id == approved.id)

        let back = try await client.post("/v1/persons/p/reinstatement", "{}")
        #expect(back.status == 200, "\(back.text)")
        #expect(back.json.members == ["person", "personRef", "rescindedAt", "ended"])
        #expect(back.json.ended == reply.json.ended && back.json.rescindedAt == .null)
        #expect(try await client.post("/v1/persons/p/reinstatement", "").json == back.json)
        #expect(try await approve(client, approved).slug == "consent-rescinded")
        let anew = try await ask(client, subject)
        #expect(anew.state == "pending" && anew.id != approved.id)
        #expect(try await client.get("/v1/questions/\(approved.id.string ?? "")").json.supersededBy == anew.id)

        let events = try await client.get("/v1/events").json.data.array.suffix(6)
        #expect(
            events.map(\.type) == [
                "person.rescinded", "question.revoked", "question.cancelled", "person.reinstated",
                "question.superseded", "question.created",
            ])
        let told = events.first { $0.type == "person.rescinded" }?.data ?? .missing
        #expect(
            told.members == [
                "person", "scope", "change", "reason", "source", "effectiveAt", "receivedAt", "freezes", "ended",
                "voidedApprovals", "withinMargin", "checklist", "notification", "environment", "endedAt",
            ])
        #expect(told.ended == reply.json.ended && told.freezes == true && told.source == "service")
        #expect(told.effectiveAt == reply.json.rescindedAt)
        let returned = events.first { $0.type == "person.reinstated" }
        #expect(returned?.data.ended == reply.json.ended && returned?.revision == 3)
    }

    @Test func historyHoldsOnePersonsEvents() async throws {
        let app = try await TestService.get().newApp()
        let client = app.service
        for person in ["p", "other"] { _ = try await client.put("/v1/persons/\(person)", "{}") }
        let question = try await ask(client, subject)
        _ = try await approve(client, question)
        _ = try await client.put("/v1/persons/other/guardians/g", "{}")
        let path = "/v1/persons/p/history"
        let history = try await client.get(path)
        #expect(history.json.data.array.map(\.type) == ["person.updated", "question.created", "question.approved"])
        #expect(history.json.data.array.allSatisfy { $0.person == "p" })
        let first = try await app.viewer.get(path + "?limit=2")
        let cursor = try #require(first.json.nextCursor.string)
        #expect(first.json.data.array == Array(history.json.data.array.prefix(2)))
        let rest = try await client.get(path + "?after=\(cursor)")
        #expect(rest.json.data.array == Array(history.json.data.array.suffix(1)))
        let end = try #require(rest.json.nextCursor.string)
        #expect(try await client.get(path + "?after=\(end)").json.data == [])
        #expect(try await client.get("/v1/persons/nobody/history").slug == "person-not-found")
        #expect(try await client.get(path + "?after=x").slug == "invalid-parameter")
    }

    @Test func anExportHoldsEverything() async throws {
        let app = try await TestService.get().newApp()
        let client = app.service
        _ = try await client.put("/v1/changes/a", #"{"introducedIn":{"build":"1"},"descriptions":{"en":"x"}}"#)
        _ = try await client.put("/v1/persons/p", #"{"ageRange":{"lowerBound":18,"declaration":"confirmed"}}"#)
        _ = try await client.put("/v1/persons/p/acknowledgments/a", "{}")
        _ = try await client.put("/v1/persons/p", #"{"ageRange":{"upperBound":12}}"#)
        _ = try await client.put("/v1/persons/p/guardians/g", "{}")
        for number in 0..<101 {
            let question = try await ask(client, #"{"kind":"purchase","product":"hat-\#(number)"}"#)
            if number == 100 { _ = try await approve(client, question) }
        }
        _ = try await client.post("/v1/persons/p/rescission", #"{"scope":"person","reason":"moved away"}"#)
        _ = try await client.post("/v1/persons/p/reinstatement", "{}")
        _ = try await client.put("/v1/persons/other", "{}")

        let export = try await app.viewer.get("/v1/persons/p/export")
        #expect(export.status == 200, "\(export.text)")
        #expect(
            export.json.members == [
                "person", "guardians", "questions", "acknowledgments", "rescissions", "storeAccounts",
                "storeNotifications", "events", "nextQuestions", "nextEvents",
            ])
        #expect(try await client.get("/v1/persons/p").json == export.json.person)
        #expect(try await client.get("/v1/persons/p/guardians").json.data == export.json.guardians)
        #expect(try await client.get("/v1/persons/p/acknowledgments").json.data == export.json.acknowledgments)
        let questions = export.json.questions.array
        #expect(questions.count == 101 && export.json.nextQuestions == .null)
        let last = try #require(questions.last)
        let id = last.question.id.string ?? ""
        #expect(try await client.get("/v1/questions/\(id)").json == last.question)
        #expect(try await client.get("/v1/questions/\(id)/answers").json.data == last.answers)
        #expect(last.answers.array.count == 1 && questions[0].answers == [])
        let rescission = export.json.rescissions[0]
        #expect(rescission.reason == "moved away" && rescission.endedAt != .null)
        #expect(rescission.ended.array.count == 101)
        // Facts twice, the acknowledgment, the link; each question asked and ended, one approved; gone and back.
        #expect(export.json.events.array.count == 4 + 101 + 1 + 101 + 2 && export.json.nextEvents == .null)
        let history = try await client.get("/v1/persons/p/history?limit=100").json.data.array
        #expect(Array(export.json.events.array.prefix(100)) == history)
        #expect(try await client.get("/v1/persons/nobody/export").slug == "person-not-found")
        #expect(try await client.get("/v1/persons/p/export?limit=1").slug == "invalid-parameter")
    }

    @Test func oneChangeIsTakenBack() async throws {
        let client = try await TestService.get().newApp().service
        for change in ["a", "b"] {
            _ = try await client.put(
                "/v1/changes/\(change)", #"{"introducedIn":{"build":"1"},"descriptions":{"en":"x"}}"#)
        }
        _ = try await client.put("/v1/persons/p", "{}")
        func ofChange(_ change: String) -> String { #"{"kind":"significantAppUpdate","change":"\#(change)"}"# }
        let a = try await ask(client, ofChange("a"), "")
        let b = try await ask(client, ofChange("b"), "")
        _ = try await approve(client, a)
        _ = try await approve(client, b)
        let reply = try await client.post("/v1/persons/p/rescission", #"{"scope":"change","change":"a"}"#)
        #expect(reply.status == 200 && reply.json.change == "a" && reply.json.ended.array == [a.id], "\(reply.text)")
        #expect(reply.json.rescindedAt == .null)
        #expect(try await client.get("/v1/questions/\(b.id.string ?? "")").json.state == "approved")
        let anew = try await ask(client, ofChange("a"), "")
        #expect(anew.state == "pending" && anew.id != a.id)
    }

    @Test func repeatsOfKeyedRequests() async throws {
        let client = try await TestService.get().newApp().service
        _ = try await client.put("/v1/persons/p", "{}")
        let question = try await ask(client, subject)
        let body = #"{"scope":"person"}"#
        let first = try await client.post("/v1/persons/p/rescission", body, [("Idempotency-Key", "r")])
        let back = try await client.post("/v1/persons/p/reinstatement", "{}", [("Idempotency-Key", "b")])
        let again = try await client.post("/v1/persons/p/rescission", body, [("Idempotency-Key", "r")])
        #expect(again.headers["idempotency-replayed"] == "true" && again.status == 200)
        // The resource as it is now: the person is back.
        #expect(again.json.rescindedAt == .null && again.json.ended.array == [question.id])
        #expect(first.json.rescindedAt != .null)
        let backAgain = try await client.post("/v1/persons/p/reinstatement", "{}", [("Idempotency-Key", "b")])
        #expect(backAgain.json == back.json && backAgain.headers["idempotency-replayed"] == "true")
    }

    @Test func acknowledgingWhileRescinded() async throws {
        let client = try await TestService.get().newApp().service
        for change in ["a", "b"] {
            _ = try await client.put(
                "/v1/changes/\(change)", #"{"introducedIn":{"build":"1"},"descriptions":{"en":"x"}}"#)
        }
        _ = try await client.put("/v1/persons/p", #"{"ageRange":{"lowerBound":18,"declaration":"confirmed"}}"#)
        #expect(try await client.put("/v1/persons/p/acknowledgments/a", "{}").status == 201)
        _ = try await client.post("/v1/persons/p/rescission", #"{"scope":"person"}"#)
        #expect(try await client.put("/v1/persons/p/acknowledgments/a", "{}").status == 200)
        #expect(try await client.put("/v1/persons/p/acknowledgments/b", "{}").slug == "consent-rescinded")
    }

    @Test func whatIsRefused() async throws {
        let app = try await TestService.get().newApp()
        let client = app.service
        _ = try await client.put("/v1/persons/p", "{}")
        #expect(
            try await client.post("/v1/persons/nobody/rescission", #"{"scope":"person"}"#).slug == "person-not-found")
        #expect(try await client.post("/v1/persons/nobody/reinstatement", "{}").slug == "person-not-found")
        #expect(try await app.viewer.post("/v1/persons/p/rescission", #"{"scope":"person"}"#).status == 403)
        let path = "/v1/persons/p/rescission"
        for (body, pointer) in [
            ("{}", "/scope"), (#"{"scope":"app"}"#, "/scope"), (#"{"scope":"change"}"#, "/change"),
            (#"{"scope":"person","change":"a"}"#, "/change"), (#"{"scope":"change","change":""}"#, "/change"),
            (#"{"scope":"person","more":1}"#, "/more"), (#"{"scope":"person","reason":1}"#, "/reason"),
        ] {
            let reply = try await client.post(path, body)
            #expect(reply.slug == "invalid-body" && reply.pointers == [pointer], "\(body): \(reply.text)")
        }
        let reply = try await client.post(path, #"{"scope":"change","change":"none"}"#)
        #expect(reply.slug == "change-not-registered" && reply.pointers == ["/change"])
        #expect(try await client.post("/v1/persons/p/reinstatement", #"{"a":1}"#).slug == "invalid-body")
        #expect(try await client.get("/v1/persons/p").json.revision == 1)
    }
}
