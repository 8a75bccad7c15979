import Testing

/// `Idempotency-Key`: a retry changes nothing and is told what happened.
struct IdempotencyTests {
    private let purchase = #"{"person":"p","topic":{"kind":"purchase","product":"x"},"description":"d"}"#

    @Test func aRetriedQuestionIsTheSame() async throws {
        let client = try await TestService.get().newApp().service
        let first = try await client.post("/v1/questions", purchase, [("Idempotency-Key", "k")])
        #expect(first.status == 201 && first.headers["idempotency-replayed"] == nil)
        let id = try #require(first.json.id.string)
        for key in ["k", "\"k\""] {
            let again = try await client.post("/v1/questions", purchase, [("Idempotency-Key", key)])
            #expect(again.status == 201 && again.json == first.json)
            #expect(again.headers["idempotency-replayed"] == "true")
            #expect(again.headers["location"] == first.headers["location"])
        }
        // The first status, the resource as it is now.
        _ = try await client.post("/v1/questions/\(id)/answers", #"{"guardian":"g","answer":"denial"}"#)
        let now = try await client.post("/v1/questions", purchase, [("Idempotency-Key", "k")])
        #expect(now.status == 201 && now.json.state == "denied" && now.headers["etag"] == "\"2-denied\"")
    }

    @Test func existingIsReplayedAsExisting() async throws {
        let client = try await TestService.get().newApp().service
        _ = try await client.post("/v1/questions", purchase)
        for _ in 0..<2 {
            let reply = try await client.post("/v1/questions", purchase, [("Idempotency-Key", "k")])
            #expect(reply.status == 200 && reply.json.existing == true)
        }
    }

    @Test func anotherRequestUnderTheSameKey() async throws {
        let client = try await TestService.get().newApp().service
        _ = try await client.post("/v1/questions", purchase, [("Idempotency-Key", "k")])
        for (method, path, body) in [
            ("POST", "/v1/questions", purchase + " "), ("PUT", "/v1/persons/p", "{}"),
            ("DELETE", "/v1/persons/p/guardians/g", ""),
        ] {
            let reply = try await client.send(
                method, path, [("Idempotency-Key", "k"), ("Content-Type", "application/json")], body)
            #expect(reply.status == 422 && reply.slug == "idempotency-key-reused", "\(method)")
            #expect(reply.json.header == "Idempotency-Key")
        }
    }

    @Test func everyWriteIsReplayed() async throws {
        let app = try await TestService.get().newApp()
        let asked = try await app.service.post("/v1/questions", purchase)
        let id = try #require(asked.json.id.string)
        _ = try await app.service.put("/v1/persons/adult", #"{"ageRange":{"lowerBound":18,"declaration":"confirmed"}}"#)
        let writes: [(HTTPClient, String, String, String?)] = [
            (app.service, "PUT", "/v1/changes/c", #"{"introducedIn":{"build":"1"},"descriptions":{"en":"x"}}"#),
            (app.service, "PUT", "/v1/persons/q", "{}"),
            (app.service, "PUT", "/v1/persons/q/guardians/g", "{}"),
            (app.service, "PUT", "/v1/persons/adult/acknowledgments/c", "{}"),
            (app.service, "PUT", "/v1/persons/child", AskAllTests.child),
            (app.service, "POST", "/v1/persons/child/questions", "{}"),
            (app.service, "POST", "/v1/questions/\(id)/answers", #"{"guardian":"g","answer":"approval"}"#),
            (app.admin, "PUT", "/v1/apps/\(app.id)", #"{"name":"again"}"#),
        ]
        for (client, method, path, body) in writes {
            let headers = [("Idempotency-Key", "\(method)\(path)"), ("Content-Type", "application/json")]
            let first = try await client.send(method, path, headers, body)
            #expect([200, 201].contains(first.status), "\(method) \(path): \(first.text)")
            let again = try await client.send(method, path, headers, body)
            #expect(again.status == first.status && again.json == first.json, "\(method) \(path): \(again.text)")
            #expect(again.headers["idempotency-replayed"] == "true", "\(method) \(path)")
            #expect(again.headers["etag"] == first.headers["etag"])
        }
        let headers = [("Idempotency-Key", "unlink")]
        for _ in 0..<2 {
            let gone = try await app.service.delete("/v1/persons/q/guardians/g", headers)
            #expect(gone.status == 204)
        }
    }

    @Test func aSecretIsShownOnce() async throws {
        let app = try await TestService.get().newApp()
        let headers = [("Idempotency-Key", "key")]
        let body = #"{"role":"service","label":"once"}"#
        let first = try await app.admin.post("/v1/apps/\(app.id)/keys", body, headers)
        #expect(first.status == 201 && first.json.key.string?.hasPrefix("asnt_\(app.id)_") == true)
        #expect(first.json.members == ["id", "app", "role", "label", "rateLimit", "createdAt", "revokedAt", "key"])
        let again = try await app.admin.post("/v1/apps/\(app.id)/keys", body, headers)
        #expect(again.status == 201 && again.json.key == .missing && again.json.id == first.json.id)
        let keys = try await app.admin.get("/v1/apps/\(app.id)/keys")
        #expect(keys.json.data.array.count(where: { $0.label == "once" }) == 1)
    }

    @Test func theKeyBelongsToTheRole() async throws {
        let app = try await TestService.get().newApp()
        let headers = [("Idempotency-Key", "k")]
        _ = try await app.service.put("/v1/persons/p", "{}", headers)
        let admin = try await app.admin.put("/v1/persons/p?app=\(app.id)", "{}", headers)
        #expect(admin.status == 200 && admin.headers["idempotency-replayed"] == nil)
        // A rotated key keeps it.
        let other = try await app.admin.post("/v1/apps/\(app.id)/keys", #"{"role":"service"}"#)
        let rotated = HTTPClient(port: app.service.port, key: other.json.key.string)
        let replayed = try await rotated.put("/v1/persons/p", "{}", headers)
        #expect(replayed.status == 201 && replayed.headers["idempotency-replayed"] == "true")
    }

    @Test func aRefusedRequestLeavesTheKeyFree() async throws {
        let client = try await TestService.get().newApp().service
        let headers = [("Idempotency-Key", "k")]
        #expect(try await client.post("/v1/questions", "{}", headers).status == 422)
        let change = #"{"person":"p","topic":{"kind":"significantAppUpdate","change":"none"}}"#
        #expect(try await client.post("/v1/questions", change, headers).status == 422)
        #expect(try await client.post("/v1/questions", purchase, headers).status == 201)
    }

    @Test func atOnce() async throws {
        let client = try await TestService.get().newApp().service
        let purchase = purchase
        let replies = try await withThrowingTaskGroup(of: HTTPClient.Reply.self) { group in
            for _ in 0..<24 {
                group.addTask { try await client.post("/v1/questions", purchase, [("Idempotency-Key", "k")]) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies.allSatisfy { $0.status == 201 }, "\(replies.map(\.status))")
        #expect(Set(replies.compactMap { $0.json.id.string }).count == 1)
        #expect(replies.count(where: { $0.headers["idempotency-replayed"] == nil }) == 1)
        let events = try await client.get("/v1/events")
        #expect(events.json.data.array.count(where: { $0.type == "question.created" }) == 1)
    }

    @Test(arguments: ["", "\"\"", "a b", "\"a", "é", String(repeating: "k", count: 256)])
    func badKeys(_ key: String) async throws {
        let client = try await TestService.get().newApp().service
        let reply = try await client.put("/v1/persons/p", "{}", [("Idempotency-Key", key)])
        #expect(reply.status == 400 && reply.json.header == "Idempotency-Key", "\(key): \(reply.text)")
        #expect(try await client.get("/v1/persons/p").status == 404)
    }

    @Test func aReadDoesNotLookAtIt() async throws {
        let client = try await TestService.get().newApp().service
        #expect(try await client.get("/v1/questions", [("Idempotency-Key", "a b")]).status == 200)
    }
}
