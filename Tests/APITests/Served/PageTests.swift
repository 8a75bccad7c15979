import Testing

/// What stands outside `/v1`, and the headers that every answer has.
struct PageTests {
    @Test func pagesNeedNoKey() async throws {
        let client = try await TestService.get().newApp().anybody
        let health = try await client.get("/healthz")
        #expect(health.status == 200 && health.json.status == "ok")
        #expect(try await client.get("/readyz").json.status == "ready")
        let metrics = try await client.get("/metrics")
        #expect(metrics.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(metrics.text.contains("assent_up 1"))
        let contract = try await client.get("/openapi.yaml")
        #expect(contract.headers["content-type"] == "application/yaml" && contract.text.hasPrefix("openapi: 3.1"))
    }

    @Test func securityHeaders() async throws {
        let app = try await TestService.get().newApp()
        for reply in [
            try await app.service.get("/v1/questions"), try await app.service.get("/v1/nothing"),
            try await app.anybody.get("/v1/questions"), try await app.service.put("/v1/persons/p", "{}"),
        ] {
            #expect(reply.headers["x-content-type-options"] == "nosniff")
            #expect(reply.headers["cache-control"] == "no-store")
            #expect(reply.headers["vary"] == "Origin")
            #expect(reply.headers["x-request-id"]?.isEmpty == false)
        }
    }

    @Test func aCallersRequestIdComesBack() async throws {
        let client = try await TestService.get().newApp().service
        let reply = try await client.get("/v1/nothing", [("X-Request-Id", "mine-1")])
        #expect(reply.headers["x-request-id"] == "mine-1" && reply.json.requestId == "mine-1")
    }
}
