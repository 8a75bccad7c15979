import Consent
import HTTPServer
import Store
import Testing

@testable import API

/// What callers are told of failures that no request brings about.
struct FailureTests {
    @Test(arguments: [
        (StoreFailure.overloaded, 503, "overloaded"), (.unavailable, 503, "unavailable"),
        (.deadline, 503, "timed-out"), (.outcomeUnknown, 503, "outcome-unknown"),
        (.broken(sqlState: "42P01"), 500, "internal-error"),
    ])
    func store(_ failure: StoreFailure, _ status: Int, _ slug: String) async throws {
        let service = try FakeService()
        _ = await service.respond(.get, "/v1/questions/counts")
        service.store.content.withLock { $0.failure = failure }
        let response = await service.respond(.get, "/v1/questions/counts")
        #expect(response.status == status && response.slug == slug)
        #expect((response.header("Retry-After") != nil) == (status == 503))
        #expect(response.json.requestId == "test-request")
        let faults = service.observations.all.withLock { $0.count }
        #expect(faults == (status == 500 ? 1 : 0), "a defect is reported")
    }

    @Test(arguments: [
        (Fault.badRequestLine(detail: "x"), "malformed-request"), (.badTarget(detail: "x"), "malformed-request"),
        (.badHeader(name: "Host", detail: "x"), "invalid-header"),
        (.badHeader(name: "", detail: "x"), "malformed-request"),
        (.bothLengths, "invalid-header"), (.targetTooLong(limit: 1), "target-too-long"),
        (.headTooLarge(limit: 1), "head-too-large"), (.bodyTooLarge(limit: 1), "body-too-large"),
        (.headTimeout, "request-timeout"), (.bodyTimeout, "request-timeout"), (.overloaded, "overloaded"),
        (.draining, "unavailable"), (.deadline, "timed-out"), (.unusableResponse(detail: "x"), "internal-error"),
    ])
    func fault(_ fault: Fault, _ slug: String) throws {
        let response = try FakeService().application.refuse(fault, head: nil)
        #expect(response.status == fault.status && response.slug == slug)
        #expect(response.header("Content-Type") == "application/problem+json")
        #expect((response.header("Retry-After") != nil) == (fault.status == 503))
    }

    @Test func noSecretIsMadeThatCouldNotBeKept() async throws {
        let service = try FakeService()
        let json = [HeaderField("Content-Type", "application/json")]
        for (path, body) in [
            ("/v1/webhook-endpoints", #"{"url":"https://hooks.example/"}"#),
            ("/v1/webhook-endpoints/01930000-0000-7001-8000-000000000002/secret-rotations", "{}"),
        ] {
            let response = await service.respond(.post, path, json, body: body)
            #expect(response.status == 503 && response.slug == "secret-key-not-configured")
            #expect(response.header("Retry-After") == "3600")
        }
    }

    @Test func notReady() async throws {
        let service = try FakeService(readiness: .notReady("The database cannot be reached."))
        let response = await service.respond(.get, "/readyz")
        #expect(response.status == 503 && response.json.detail == "The database cannot be reached.")
        #expect(response.header("Retry-After") != nil)
        #expect(await service.respond(.get, "/healthz").status == 200)
    }
}
