import API
import Consent
import Testing

/// Limits over the wire, with keys in a real database.
@Suite(.serialized) struct ServedRateLimitTests {
    private func with(
        _ limits: RateLimits.Settings, _ clock: TestClock,
        _ body: (Instance, TestApp, TestApp) async throws -> Void
    ) async throws {
        let service = try TestService.get()
        try await Instance.use(limits: limits, clock: clock.clocks) { instance in
            try await body(instance, try await service.newApp(), try await service.newApp())
        }
    }

    private func statuses(_ requests: Int, _ client: HTTPClient, _ path: String) async throws -> [Int: Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<requests { group.addTask { try await client.get(path).status } }
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
    }

    /// The clock stands, so not one more may pass than the limit has, however many come at once.
    @Test func manyConnectionsGetExactlyWhatThereIs() async throws {
        var limits = RateLimits.Settings()
        limits.key = RateLimit(requests: 25, seconds: 10)
        let clock = TestClock()
        try await with(limits, clock) { instance, app, other in
            let client = instance.client(app)
            #expect(try await statuses(80, client, "/v1/changes") == [200: 25, 429: 55])
            // The other app notices nothing.
            let stranger = try await instance.client(other).get("/v1/changes")
            #expect(stranger.status == 200 && stranger.headers["ratelimit"] == #""key";r=24;t=1"#)
            clock.advance(by: .milliseconds(1_200))
            #expect(try await statuses(20, client, "/v1/changes") == [200: 3, 429: 17])
        }
    }

    @Test func aKeysOwnLimitIsStoredShownAndKept() async throws {
        try await with(RateLimits.Settings(), TestClock()) { instance, app, _ in
            let made = try await app.admin.post(
                "/v1/apps/\(app.id)/keys", #"{"role":"service","rateLimit":{"requests":2,"seconds":60}}"#)
            #expect(made.status == 201 && made.json.rateLimit.requests == 2 && made.json.rateLimit.seconds == 60)
            let listed = try await app.admin.get("/v1/apps/\(app.id)/keys").json.data.array
            #expect(listed.map(\.rateLimit.requests.int) == [nil, nil, 2])
            let client = HTTPClient(port: instance.port, key: made.json["key"].string)
            for left in [1, 0] {
                let reply = try await client.put("/v1/persons/p\(left)", "{}")
                #expect(reply.status == 201 && reply.headers["ratelimit"] == #""key";r=\#(left);t=30"#)
                #expect(reply.headers["ratelimit-policy"] == #""key";q=2;w=60"#)
            }
            let refused = try await client.put("/v1/persons/q", "{}", [("Idempotency-Key", "k")])
            #expect(refused.status == 429 && refused.slug == "quota-exceeded" && refused.headers["retry-after"] == "30")
            // It left nothing behind, and the app's other keys go on.
            #expect(try await instance.client(app).get("/v1/persons/q").status == 404)
            let event = try await app.service.get("/v1/events").json.data.array.last { $0.type == "key.created" }
            #expect(event?.data.rateLimit.requests == 2)
        }
    }

    /// A new token is no new allowance: the person's tokens share one, apart from their key's and from everybody else's.
    @Test func tokensOfOnePersonShareALimit() async throws {
        var limits = RateLimits.Settings()
        limits.token = RateLimit(requests: 2, seconds: 10)
        try await with(limits, TestClock()) { instance, app, _ in
            let key = instance.client(app)
            func token(_ person: String) async throws -> HTTPClient {
                let made = try await key.post("/v1/tokens", #"{"person":"\#(person)","actions":["access.read"]}"#)
                return HTTPClient(port: instance.port, key: made.json.token.string)
            }
            for person in ["p", "q"] { _ = try await key.put("/v1/persons/\(person)", "{}") }
            for left in [1, 0] {
                let reply = try await token("p").get("/v1/persons/p/access")
                #expect(reply.status == 200 && reply.headers["ratelimit"] == #""token";r=\#(left);t=5"#)
            }
            let refused = try await token("p").get("/v1/persons/p/access")
            #expect(refused.status == 429 && refused.json["violated-policies"].array.compactMap(\.string) == ["token"])
            #expect(try await token("q").get("/v1/persons/q/access").status == 200)
            #expect(try await key.get("/v1/persons/p/access").headers["ratelimit"] == nil)
        }
    }

    @Test func headersAreOnStreamsAndNothingToTellAgain() async throws {
        var limits = RateLimits.Settings()
        limits.key = RateLimit(requests: 100, seconds: 1)
        limits.source = RateLimit(requests: 200, seconds: 1)
        try await with(limits, TestClock()) { instance, app, _ in
            let client = instance.client(app)
            let asked = try await client.post(
                "/v1/questions",
                #"{"person":"p","topic":{"kind":"custom","subject":"s"},"description":"d"}"#)
            let tag = try #require(asked.headers["etag"])
            let id = try #require(asked.json.id.string)
            let same = try await client.get("/v1/questions/\(id)", [("If-None-Match", tag)])
            #expect(same.status == 304 && same.headers["ratelimit"] == #""source";r=198;t=1, "key";r=98;t=1"#)
            let stream = try StreamClient(client, "/v1/events")
            let seen = await stream.wait { !$0.head.isEmpty }
            #expect(seen.head.contains(#"RateLimit: "source";r=197;t=1, "key";r=97;t=1"#))
            stream.leave()
        }
    }
}
