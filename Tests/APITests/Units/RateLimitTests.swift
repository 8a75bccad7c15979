import Consent
import HTTPServer
import Testing

@testable import API

/// What a limit does to requests and to their answers, with a clock that stands still.
struct RateLimitTests {
    private func service(
        key: RateLimit? = nil, source: RateLimit? = nil, proxies: Proxies = .none
    ) throws -> FakeService {
        var limits = RateLimits.Settings()
        limits.key = key
        limits.source = source
        limits.proxies = proxies
        return try FakeService(limits: limits)
    }

    private let two = RateLimit(requests: 2, seconds: 10)
    private let path = "/v1/questions/01930000-0000-7001-8000-000000000002"

    private func limited(_ service: FakeService) -> [RatePolicy] {
        service.observations.all.withLock { all in
            all.compactMap { if case .limited(let policy) = $0 { policy } else { nil } }
        }
    }

    @Test func withoutLimitsNothingIsSaid() async throws {
        let service = try service()
        for _ in 0..<100 {
            let reply = await service.respond(.get, path)
            #expect(reply.status == 404 && reply.header("RateLimit") == nil && reply.header("RateLimit-Policy") == nil)
        }
        #expect(service.application.limits.subjects.allSatisfy { $0.count == 0 })
    }

    @Test func aKeyIsToldHowItStandsAndThenToWait() async throws {
        let service = try service(key: two)
        for left in [1, 0] {
            let reply = await service.respond(.get, path)
            #expect(reply.status == 404)
            #expect(reply.header("RateLimit-Policy") == #""key";q=2;w=10"#)
            #expect(reply.header("RateLimit") == #""key";r=\#(left);t=5"#)
        }
        service.clock.advance(by: .milliseconds(1_500))
        let refused = await service.respond(.get, path)
        #expect(refused.status == 429 && refused.slug == "quota-exceeded" && refused.header("Retry-After") == "4")
        #expect(refused.header("RateLimit") == #""key";r=0;t=4"#)
        #expect(refused.json["violated-policies"].array.compactMap(\.string) == ["key"])
        #expect(refused.json.detail == "At most 2 requests in 10 seconds are taken.")
        #expect(limited(service) == [.key])
        // Another key has an allowance of its own, of this app and of another.
        #expect(await service.respond(.get, path, key: try service.issue(for: "reader")).status == 404)
        #expect(await service.respond(.get, path, key: try service.issue(for: "writer")).status == 404)
        // What it was told holds to the microsecond.
        service.clock.advance(by: .milliseconds(3_500) - .microseconds(1))
        #expect(await service.respond(.get, path).status == 429)
        service.clock.advance(by: .microseconds(1))
        #expect(await service.respond(.get, path).status == 404)
        #expect(await service.respond(.get, path).status == 429)
    }

    @Test func aKeysOwnLimitTakesThePlaceOfTheOperators() async throws {
        let service = try service(key: two)
        let key = try service.issue(for: "reader", RateLimit(requests: 3, seconds: 1))
        for left in [2, 1, 0] {
            let reply = await service.respond(.get, path, key: key)
            #expect(reply.header("RateLimit") == #""key";r=\#(left);t=1"#)
        }
        #expect(await service.respond(.get, path, key: key).status == 429)
        // And holds where the operator set none.
        let other = try self.service()
        let limited = try other.issue(for: "reader", RateLimit(requests: 1, seconds: 1))
        #expect(await other.respond(.get, path, key: limited).status == 404)
        #expect(await other.respond(.get, path, key: limited).status == 429)
        for _ in 0..<10 { #expect(await other.respond(.get, path).status == 404) }
    }

    @Test func aSourceIsCountedBeforeItsKeyIs() async throws {
        let service = try service(key: RateLimit(requests: 5, seconds: 60), source: two)
        // Guessing keys uses the source's allowance up, and so does what is not there.
        let first = await service.respond(.get, path, key: "guess")
        #expect(first.status == 401 && first.header("RateLimit") == #""source";r=1;t=5"#)
        #expect(await service.respond(.get, "/v1/nothing").status == 404)
        let refused = await service.respond(.get, path)
        #expect(refused.status == 429 && refused.json["violated-policies"].array.compactMap(\.string) == ["source"])
        #expect(refused.header("RateLimit-Policy") == #""source";q=2;w=10"#)
        #expect(await service.respond(.delete, path).status == 429)
        // Neither the key nor another source knows of it.
        let other = await service.respond(.get, path, peer: "192.0.2.2")
        #expect(other.header("RateLimit-Policy") == #""source";q=2;w=10, "key";q=5;w=60"#)
        #expect(other.header("RateLimit") == #""source";r=1;t=5, "key";r=4;t=12"#)
        // One network of IPv6 is one source.
        for host in ["1", "2"] { #expect(await service.respond(.get, path, peer: "2001:db8::\(host)").status == 404) }
        #expect(await service.respond(.get, path, peer: "2001:db8::3").status == 429)
        #expect(await service.respond(.get, path, peer: "2001:db8:0:1::3").status == 404)
        #expect(limited(service) == [.source, .source, .source])
        #expect(service.application.limits.subjects.map(\.count) == [4, 1, 0, 0, 0])
    }

    @Test func behindAProxyTheClientIsTheSource() async throws {
        let service = try service(source: two, proxies: Proxies(count: 1, header: .forwardedFor))
        func get(_ clients: String) async -> Int {
            await service.respond(.get, path, [HeaderField("X-Forwarded-For", clients)], peer: "10.0.0.1").status
        }
        for client in ["198.51.100.1", "198.51.100.2"] {
            #expect(await get(client) == 404)
            // What a client puts before the proxy's entry makes it nobody else.
            #expect(await get("203.0.113.9, \(client)") == 404)
            #expect(await get("203.0.113.10, \(client)") == 429)
        }
    }

    @Test func pagesAndPreflightsAreFree() async throws {
        let service = try service(
            key: RateLimit(requests: 1, seconds: 3_600), source: RateLimit(requests: 1, seconds: 3_600))
        for path in ["/healthz", "/readyz", "/metrics", "/openapi.yaml"] {
            for _ in 0..<3 {
                let reply = await service.respond(.get, path)
                #expect(reply.status == 200 && reply.header("RateLimit") == nil, "\(path)")
            }
        }
        for _ in 0..<3 {
            let preflight = [
                HeaderField("Origin", "https://app.example"), HeaderField("Access-Control-Request-Method", "GET"),
            ]
            #expect(await service.respond(.options, path, preflight).status == 204)
        }
        #expect(await service.respond(.get, path).status == 404)
        #expect(await service.respond(.get, path).status == 429)
        #expect(await service.respond(.get, "/healthz").status == 200)
    }

    @Test func aPageOfTheAppMayReadThatItIsLimited() async throws {
        let service = try service(key: RateLimit(requests: 1, seconds: 60))
        service.store.content.withLock { $0.origins = [AppID(trusted: "reader"): ["https://app.example"]] }
        let origin = [HeaderField("Origin", "https://app.example")]
        _ = await service.respond(.get, path, origin)
        let refused = await service.respond(.get, path, origin)
        #expect(refused.status == 429 && refused.header("Access-Control-Allow-Origin") == "https://app.example")
        let exposed = refused.header("Access-Control-Expose-Headers") ?? ""
        for name in ["RateLimit", "RateLimit-Policy", "Retry-After"] {
            #expect(exposed.split(separator: ", ").contains(name[...]), "\(name)")
        }
    }
}
