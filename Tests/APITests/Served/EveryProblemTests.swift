import HTTPServer
import Testing

@testable import API

/// Every type of problem is reached, and only those of the table exist.
struct EveryProblemTests {
    private let purchase = #"{"person":"p","topic":{"kind":"purchase","product":"x"},"description":"d"}"#

    private func id(_ reply: HTTPClient.Reply) throws -> String {
        guard let id = reply.json.id.string else { throw TestFailure("no question: \(reply.text)") }
        return id
    }

    @Test func everyTypeIsReached() async throws {
        let app = try await TestService.get().newApp(#"{"name":"T","policy":{"askAgainSeconds":0}}"#)
        var reached: [String: HTTPClient.Reply] = [:]
        for reply in try await outside(app) + questions(app) + people(app) + stores() + webhooks(app) {
            guard let slug = reply.slug else { throw TestFailure("no problem: \(reply.status) \(reply.text)") }
            reached[slug] = reply
        }
        // These take a database or a clock that fails, many requests or other settings: `FailureTests` and `IntakeTests`
        // reach them.
        let failing: Set = [
            "internal-error", "overloaded", "unavailable", "timed-out", "outcome-unknown", "request-timeout",
            "too-many-failures", "app-store-not-configured", "secret-key-not-configured",
            // And this a thousand streams: `EventStreamTests` has a server that allows fewer.
            "too-many-streams",
        ]
        #expect(Set(reached.keys).union(failing) == Set(ProblemType.all.map(\.slug)))
        for type in ProblemType.all {
            guard let reply = reached[type.slug] else { continue }
            #expect(reply.status == type.status, "\(type.slug)")
            #expect(reply.json.status.int == type.status && reply.json.title == .string(type.title))
            #expect(reply.headers["content-type"] == "application/problem+json")
            #expect(reply.json.requestId.string == reply.headers["x-request-id"], "\(type.slug)")
            let hasCurrent = reply.json.current != .missing
            #expect(hasCurrent == (type.status == 409), "\(type.slug): \(reply.text)")
            #expect((reply.json.parameter != .missing) == ["invalid-parameter", "app-required"].contains(type.slug))
            #expect(
                (reply.json.header != .missing) == ["invalid-header", "idempotency-key-reused"].contains(type.slug))
            if type.status == 422, type != .idempotencyKeyReused { #expect(!reply.pointers.isEmpty, "\(type.slug)") }
        }
        #expect(reached["denied-recently"]?.headers["retry-after"] != nil)
        #expect(reached["method-not-allowed"]?.headers["allow"] == "POST, GET, HEAD, OPTIONS")
        #expect(reached["unauthenticated"]?.headers["www-authenticate"] == "Bearer realm=\"assent\"")
        #expect(reached["unsupported-media-type"]?.headers["accept"] == "application/json")
    }

    /// A token of somebody else than whom `purchase` asks about.
    private func token(_ app: TestApp) async throws -> HTTPClient {
        let made = try await app.service.post("/v1/tokens", #"{"person":"other","actions":["question.create"]}"#)
        return HTTPClient(port: app.service.port, key: made.json.token.string)
    }

    /// Problems of the request itself.
    private func outside(_ app: TestApp) async throws -> [HTTPClient.Reply] {
        let client = app.service
        _ = try await client.put("/v1/persons/key", "{}", [("Idempotency-Key", "one")])
        return [
            try await client.get("/v1/persons/%zz"),
            try await client.post("/v1/questions", "{"),
            try await client.get("/v1/questions?limit=0"),
            try await client.put("/v1/persons/x", "{}", [("If-Match", "3")]),
            try await app.admin.get("/v1/questions"),
            try await app.anybody.get("/v1/questions"),
            try await app.viewer.put("/v1/persons/x", "{}"),
            try await token(app).get("/v1/apps"),
            try await token(app).post("/v1/questions", purchase),
            try await client.get("/v1/nothing"),
            try await app.admin.get("/v1/apps/no-such-app"),
            try await app.admin.delete("/v1/apps/\(app.id)/keys/01930000-0000-7001-8000-000000000002"),
            try await client.send("PATCH", "/v1/questions"),
            try await client.put("/v1/persons/x", "{}", [("If-Match", "\"7\"")]),
            try await client.put("/v1/persons/x", String(repeating: " ", count: 70_000)),
            try await client.get("/v1/persons/" + String(repeating: "x", count: 9_000)),
            try await client.send("PUT", "/v1/persons/x", [("Content-Type", "text/plain")], "{}"),
            try await client.put("/v1/persons/x", #"{"a":1}"#),
            try await client.put("/v1/persons/other", "{}", [("Idempotency-Key", "one")]),
            try await client.get("/v1/questions", [("X-Long", String(repeating: "x", count: 13_000))]),
        ]
    }

    /// Problems of questions.
    private func questions(_ app: TestApp) async throws -> [HTTPClient.Reply] {
        let client = app.service
        func ask(_ product: String, _ more: String = "") async throws -> HTTPClient.Reply {
            try await client.post(
                "/v1/questions",
                #"{"person":"p","topic":{"kind":"purchase","product":"\#(product)"},"description":"d"\#(more)}"#)
        }
        func say(_ answer: String, _ question: String, _ guardian: String = "g") async throws -> HTTPClient.Reply {
            try await client.post(
                "/v1/questions/\(question)/answers", #"{"guardian":"\#(guardian)","answer":"\#(answer)"}"#)
        }
        func cancel(_ question: String) async throws -> HTTPClient.Reply {
            try await client.post("/v1/questions/\(question)/cancellation", "{}")
        }
        let expired = try id(try await ask("expired"))
        try TestDatabase.execute(
            "update question set expiration = created_at + interval '1 microsecond' where id = '\(expired)'")
        let cancelled = try id(try await ask("cancelled"))
        _ = try await cancel(cancelled)
        let superseded = try id(try await ask("superseded"))
        _ = try await say("denial", superseded)
        _ = try await ask("superseded")
        let decided = try id(try await ask("decided"))
        _ = try await say("approval", decided)
        let stale = try await client.post(
            "/v1/persons/p/answers",
            #"{"guardian":"g","answers":[{"question":"\#(decided)","answer":"denial","revision":1}]}"#)
        #expect(stale.json.data[0].problem.type == "/problems/revision-changed")

        let patient = try await TestService.get().newApp().service
        let denied = try id(try await patient.post("/v1/questions", purchase))
        _ = try await patient.post("/v1/questions/\(denied)/answers", #"{"guardian":"g","answer":"denial"}"#)

        let strict = try await TestService.get().newApp(#"{"name":"T","policy":{"verificationMethods":["pin"]}}"#)
            .service
        let unverified = try id(try await strict.post("/v1/questions", purchase))

        _ = try await client.put("/v1/persons/linked/guardians/g", "{}")
        let linked = try id(
            try await client.post(
                "/v1/questions",
                #"{"person":"linked","topic":{"kind":"purchase","product":"x"},"description":"d"}"#))
        return [
            try await client.get("/v1/questions/01930000-0000-7001-8000-000000000002"),
            try await say("approval", expired), try await say("approval", cancelled),
            try await say("approval", superseded), try await cancel(decided),
            Self.item(stale), try await patient.post("/v1/questions", purchase),
            try await say("approval", linked, "stranger"),
            try await strict.post(
                "/v1/questions/\(unverified)/answers", #"{"guardian":"g","answer":"approval"}"#),
            try await client.post(
                "/v1/questions",
                #"{"person":"linked","topic":{"kind":"purchase","product":"y"},"description":"d","quorum":2}"#),
            try await client.post(
                "/v1/questions", #"{"person":"p","topic":{"kind":"significantAppUpdate","change":"none"}}"#),
            try await ask("late", #","expirationDate":"2020-01-01T00:00:00Z""#),
        ]
    }

    /// A change that was taken back, put once more.
    private func withdrawn(_ client: HTTPClient) async throws -> HTTPClient.Reply {
        let body = #"{"introducedIn":{"build":"1"},"descriptions":{"en":"x"}}"#
        _ = try await client.put("/v1/changes/gone", body)
        _ = try await client.post("/v1/changes/gone/withdrawal", "{}")
        return try await client.put("/v1/changes/gone", body)
    }

    /// Problems of what the stores send.
    private func stores() async throws -> [HTTPClient.Reply] {
        let service = try TestService.get()
        let app = try await service.newApp(TestAppStore.settings)
        let intake = "/v1/app-store/notifications/\(app.id)"
        let plain = #"{"appTransactionId":"taken","environment":"production"}"#
        _ = try await app.service.post("/v1/persons/p/app-transactions", plain)
        _ = try await app.service.put("/v1/persons/q", "{}")
        _ = try await app.anybody.post(intake, TestAppStore.body(try service.appStore.notification()))
        let kept = try await app.admin.get("/v1/store-notifications?app=\(app.id)").json.data[0].id.string ?? ""
        _ = try await app.service.send(
            "POST", "/v1/play-store/revocations", [("Content-Type", "text/csv")], "Install ID\na\n")
        let played = try await app.admin.get("/v1/store-notifications?app=\(app.id)").json.data[1].id.string ?? ""
        return [
            try await app.anybody.post(intake, TestAppStore.body("a.b.c")),
            try await app.admin.get("/v1/store-notifications/\(app.id)?app=\(app.id)"),
            try await app.service.post("/v1/persons/q/app-transactions", plain),
            try await app.admin.post("/v1/store-notifications/\(kept)/attribution?app=\(app.id)", #"{"person":"q"}"#),
            try await app.admin.post("/v1/store-notifications/\(played)/replay?app=\(app.id)", "{}"),
            try await app.service.post(
                "/v1/persons/q/app-transactions", #"{"signedAppTransactionInfo":"a.b.c"}"#),
        ]
    }

    /// Problems of webhook endpoints.
    private func webhooks(_ app: TestApp) async throws -> [HTTPClient.Reply] {
        let client = app.service
        let body = #"{"url":"https://hooks.example/","status":"disabled"}"#
        let made = try await client.post("/v1/webhook-endpoints", body)
        let path = "/v1/webhook-endpoints/\(try id(made))"
        let enabled = #"{"url":"https://hooks.example/"}"#
        _ = try await client.put(path, enabled)
        let key = [("Idempotency-Key", "test")]
        let test = try await client.post(path + "/tests", "{}", key)
        try TestDatabase.execute("delete from webhook_delivery where id = '\(try id(test))'")
        let gone = try await client.post(path + "/tests", "{}", key)
        _ = try await client.put(path, body)
        let disabled = try await client.post(path + "/tests", "{}")
        for _ in 1..<50 { _ = try await client.post("/v1/webhook-endpoints", enabled) }
        return [
            gone, disabled, try await client.post("/v1/webhook-endpoints", enabled),
            try await client.get("/v1/webhook-endpoints/01930000-0000-7001-8000-000000000002"),
        ]
    }

    /// An item's problem as a reply of its own.
    private static func item(_ reply: HTTPClient.Reply) -> HTTPClient.Reply {
        let text = reply.text
        let problem = text.firstRange(of: "\"problem\":").map { text[$0.upperBound...] } ?? ""
        let headers = ["content-type": "application/problem+json"]
        return HTTPClient.Reply(status: 409, headers: headers, body: Array(problem.dropLast(3).utf8))
    }

    /// Problems of persons, links, changes and acknowledgments.
    private func people(_ app: TestApp) async throws -> [HTTPClient.Reply] {
        let client = app.service
        _ = try await client.put("/v1/changes/c", #"{"introducedIn":{"build":"1"},"descriptions":{"en":"x"}}"#)
        for (person, range) in [
            ("minor", #"{"lowerBound":13,"upperBound":15}"#), ("unknown", #""declined""#),
            ("unconfirmed", #"{"lowerBound":18}"#),
        ] {
            _ = try await client.put(
                "/v1/persons/\(person)",
                #"{"ageRange":\#(range),"requiredRegulatoryFeatures":["significantAppChangeRequiresAdultNotification"]}"#
            )
        }
        _ = try await client.put("/v1/persons/gone", "{}")
        _ = try await client.post("/v1/persons/gone/rescission", #"{"scope":"person"}"#)
        return [
            try await client.get("/v1/persons/nobody"),
            try await client.get("/v1/persons/minor/acknowledgments/c"),
            try await client.get("/v1/changes/none"),
            try await client.get("/v1/age-ratings/AUS/production/history"),
            try await client.post(
                "/v1/age-ratings",
                #"{"storefront":"AUS","environment":"production","observedAt":"2999-01-01T00:00:00Z"}"#),
            try await client.put("/v1/persons/minor/acknowledgments/c", "{}"),
            try await client.post("/v1/persons/unknown/questions", "{}"),
            try await client.put("/v1/persons/unknown/acknowledgments/c", "{}"),
            try await client.put("/v1/persons/unconfirmed/acknowledgments/c", "{}"),
            try await client.post(
                "/v1/questions",
                #"{"person":"unconfirmed","topic":{"kind":"purchase","product":"x"},"description":"d"}"#),
            try await withdrawn(client),
            try await client.post(
                "/v1/questions", #"{"person":"gone","topic":{"kind":"purchase","product":"x"},"description":"d"}"#),
            try await client.delete("/v1/persons/minor/guardians/" + String(repeating: "g", count: 129)),
        ]
    }
}
