import Testing

/// Entity tags: what is told with them and what they hold off.
struct ConditionTests {
    @Test func aQuestionsTagFollowsRevisionAndState() async throws {
        let client = try await TestService.get().newApp().service
        let asked = try await client.post(
            "/v1/questions", #"{"person":"p","topic":{"kind":"purchase","product":"x"},"description":"d"}"#)
        let path = try #require(asked.headers["location"])
        let id = try #require(asked.json.id.string)
        for tags in ["\"1-pending\"", "W/\"1-pending\"", "\"x\", \"1-pending\"", "*"] {
            let reply = try await client.get(path, [("If-None-Match", tags)])
            #expect(reply.status == 304 && reply.body.isEmpty && reply.headers["etag"] == "\"1-pending\"", "\(tags)")
            #expect(reply.headers["content-length"] == "\(try await client.get(path).body.count)")
        }
        for tags in ["\"1\"", "\"2-pending\"", "\"1-expired\""] {
            #expect(try await client.get(path, [("If-None-Match", tags)]).status == 200, "\(tags)")
        }
        // Time alone makes it another representation, whether or not a sweep has run.
        try TestDatabase.execute(
            "update question set expiration = created_at + interval '1 microsecond' where id = '\(id)'")
        let expired = try await client.get(path, [("If-None-Match", "\"1-pending\"")])
        #expect(expired.status == 200 && expired.headers["etag"] == "\"1-expired\"")
        #expect(expired.json.state == "expired" && expired.json.resolution.by == "silence")
        #expect(expired.json.resolution.at == expired.json.expirationDate)
        #expect(expired.json.allowedActions == [])
    }

    @Test func conditionalPuts() async throws {
        let app = try await TestService.get().newApp()
        let change = #"{"introducedIn":{"build":"1"},"descriptions":{"en":"x"}}"#
        let changed = #"{"introducedIn":{"build":"2"},"descriptions":{"en":"x"}}"#
        let cases: [(HTTPClient, String, String, String, String)] = [
            (app.service, "/v1/persons/p", "{}", #"{"region":"DE"}"#, ""),
            (app.service, "/v1/changes/c", change, changed, "-en"),
            (app.admin, "/v1/apps/\(app.id)-b", #"{"name":"a"}"#, #"{"name":"b"}"#, ""),
        ]
        for (client, path, first, second, end) in cases {
            #expect(try await client.put(path, first, [("If-Match", "*")]).status == 412, "\(path)")
            #expect(try await client.get(path).status == 404, "\(path)")
            let made = try await client.put(path, first, [("If-None-Match", "*")])
            #expect(made.status == 201 && made.headers["etag"] == "\"1\(end)\"", "\(path)")
            #expect(try await client.put(path, second, [("If-None-Match", "*")]).slug == "precondition-failed")
            #expect(try await client.put(path, second, [("If-Match", "\"7\"")]).status == 412)
            #expect(try await client.put(path, second, [("If-Match", "W/\"1\"")]).status == 412)
            #expect(
                try await client.put(path, second, [("If-Match", end.isEmpty ? "\"1-pending\"" : "\"en-1\"")]).status
                    == 412)
            let replaced = try await client.put(path, second, [("If-Match", "\"1\"")])
            #expect(replaced.status == 200 && replaced.headers["etag"] == "\"2\(end)\"", "\(replaced.text)")
            #expect(try await client.put(path, second, [("If-Match", "\"1\", \"2\"")]).headers["etag"] == "\"2\(end)\"")
            #expect(try await client.put(path, first, [("If-Match", "*")]).headers["etag"] == "\"3\(end)\"")
            // A 304 tells the length of what a 200 would have sent, or none (RFC 9110 §8.6), and has nothing after its head.
            let known = try await client.get(path, [("If-None-Match", "\"3\(end)\"")])
            let length = try await client.get(path).headers["content-length"]
            #expect(known.status == 304 && known.headers["content-length"] == length && known.body.isEmpty, "\(path)")
            #expect(try await client.get(path, [("If-None-Match", "\"2\(end)\"")]).status == 200)
        }
    }

    @Test func conditionsThatNobodyHonoursAreRefused() async throws {
        let client = try await TestService.get().newApp().service
        for (method, path) in [
            ("PUT", "/v1/persons/p/guardians/g"), ("DELETE", "/v1/persons/p/guardians/g"),
            ("POST", "/v1/questions/01930000-0000-7001-8000-000000000002/cancellation"),
        ] {
            for name in ["If-Match", "If-None-Match"] {
                let reply = try await client.send(method, path, [(name, "*")])
                #expect(reply.status == 400 && reply.json.header == .string(name), "\(method) \(path)")
            }
        }
        for (name, value) in [("If-Match", "*"), ("If-None-Match", "*"), ("Idempotency-Key", "a b")] {
            let reply = try await client.send(
                "POST", "/v1/play-store/revocations", [("Content-Type", "text/csv"), (name, value)], "Install ID\nx\n")
            #expect(reply.status == 400 && reply.json.header == .string(name), "\(name): \(reply.text)")
        }
    }

    @Test func readingChangesNothing() async throws {
        let client = try await TestService.get().newApp().service
        let asked = try await client.post(
            "/v1/questions", #"{"person":"p","topic":{"kind":"purchase","product":"x"},"description":"d"}"#)
        let id = try #require(asked.json.id.string)
        let before = try await client.get("/v1/events").json
        for path in ["", "/answers", "/events", "/cancellation"] {
            let read = try await client.get("/v1/questions/\(id)\(path)")
            let head = try await client.send("HEAD", "/v1/questions/\(id)\(path)")
            #expect(head.status == read.status && head.body.isEmpty)
            #expect(head.headers["content-length"] == read.headers["content-length"])
            #expect(head.headers["etag"] == read.headers["etag"])
        }
        #expect(try await client.get("/v1/events").json == before)
    }
}
