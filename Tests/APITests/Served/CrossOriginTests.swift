import Testing

/// CORS: whose pages may read which answer.
struct CrossOriginTests {
    private let allowed = "access-control-allow-origin"

    private func apps() async throws -> (one: TestApp, other: TestApp, origin: String, foreign: String) {
        let service = try TestService.get()
        let origin = "https://a\(UInt32.random(in: 0...UInt32.max)).example"
        let foreign = "https://b\(UInt32.random(in: 0...UInt32.max)).example"
        let one = try await service.newApp(#"{"name":"one","allowedOrigins":["\#(origin)"]}"#)
        let other = try await service.newApp(#"{"name":"other","allowedOrigins":["\#(foreign)"]}"#)
        return (one, other, origin, foreign)
    }

    @Test func preflightNeedsNoKey() async throws {
        let (one, _, origin, foreign) = try await apps()
        for asking in [origin, foreign] {
            let reply = try await one.anybody.send(
                "OPTIONS", "/v1/questions",
                [
                    ("Origin", asking), ("Access-Control-Request-Method", "POST"),
                    ("Access-Control-Request-Headers", "authorization,content-type,idempotency-key"),
                ])
            #expect(reply.status == 204 && reply.body.isEmpty)
            #expect(reply.headers[allowed] == asking)
            #expect(reply.headers["access-control-allow-methods"] == "POST, GET, HEAD, OPTIONS")
            let headers = reply.headers["access-control-allow-headers"] ?? ""
            for name in ["Authorization", "Idempotency-Key", "If-Match", "If-None-Match", "Prefer", "Last-Event-ID"] {
                #expect(headers.contains(name))
            }
            #expect(reply.headers["vary"]?.contains("Origin") == true)
            #expect(reply.headers["access-control-allow-credentials"] == nil)
        }
    }

    @Test(arguments: [
        "https://evil.example", "null", "https://A.example", "*", "https://app.example:444",
    ])
    func strangersGetNothing(_ origin: String) async throws {
        let (one, _, _, _) = try await apps()
        let preflight = try await one.anybody.send(
            "OPTIONS", "/v1/questions", [("Origin", origin), ("Access-Control-Request-Method", "POST")])
        #expect(preflight.status == 204 && preflight.headers[allowed] == nil)
        #expect(preflight.headers["access-control-allow-methods"] == nil)
        let reply = try await one.service.get("/v1/questions", [("Origin", origin)])
        #expect(reply.status == 200 && reply.headers[allowed] == nil && reply.headers["vary"] == "Origin")
    }

    @Test func answersAreForTheKeysApp() async throws {
        let (one, _, origin, foreign) = try await apps()
        let reply = try await one.service.get("/v1/questions", [("Origin", origin)])
        #expect(reply.headers[allowed] == origin)
        let exposed = reply.headers["access-control-expose-headers"] ?? ""
        for name in [
            "ETag", "Location", "Retry-After", "Idempotency-Replayed", "X-Request-Id", "RateLimit", "RateLimit-Policy",
        ] {
            #expect(exposed.contains(name))
        }
        #expect(try await one.service.get("/v1/questions", [("Origin", foreign)]).headers[allowed] == nil)
        let admin = try await one.admin.get("/v1/questions?app=\(one.id)", [("Origin", origin)])
        #expect(admin.headers[allowed] == origin)
        #expect(try await one.admin.get("/v1/apps", [("Origin", origin)]).headers[allowed] == nil)
    }

    @Test func errorsAreReadableToo() async throws {
        let (one, _, origin, foreign) = try await apps()
        for (reply, status) in [
            (try await one.service.get("/v1/questions?limit=0", [("Origin", origin)]), 400),
            (try await one.service.get("/v1/persons/nobody", [("Origin", origin)]), 404),
            (try await one.viewer.put("/v1/persons/x", "{}", [("Origin", origin)]), 403),
            (try await one.service.put("/v1/persons/x", "[]", [("Origin", origin)]), 422),
            (try await one.anybody.get("/v1/questions", [("Origin", origin)]), 401),
            (try await one.anybody.get("/v1/nothing", [("Origin", origin)]), 404),
            (try await one.service.send("PATCH", "/v1/questions", [("Origin", origin)]), 405),
            (try await one.service.get("/v1/%zz", [("Origin", origin)]), 400),
        ] {
            #expect(reply.status == status && reply.headers[allowed] == origin, "\(status): \(reply.headers)")
            #expect(reply.headers["access-control-expose-headers"] != nil)
        }
        #expect(try await one.anybody.get("/v1/questions", [("Origin", foreign)]).headers[allowed] == foreign)
        #expect(try await one.service.get("/v1/persons/nobody", [("Origin", foreign)]).headers[allowed] == nil)
    }

    @Test func aChangedListCountsAtOnce() async throws {
        let (one, _, origin, _) = try await apps()
        #expect(try await one.service.get("/v1/questions", [("Origin", origin)]).headers[allowed] == origin)
        _ = try await one.admin.put("/v1/apps/\(one.id)", #"{"name":"one"}"#)
        #expect(try await one.service.get("/v1/questions", [("Origin", origin)]).headers[allowed] == nil)
    }

    @Test func optionsWithoutAnOrigin() async throws {
        let app = try await TestService.get().newApp()
        let reply = try await app.anybody.send("OPTIONS", "/v1/questions/counts")
        #expect(reply.status == 204 && reply.headers["allow"] == "GET, HEAD, OPTIONS")
        #expect(try await app.anybody.send("OPTIONS", "*").status == 204)
        #expect(try await app.anybody.send("OPTIONS", "/v1/nothing").status == 404)
    }
}
