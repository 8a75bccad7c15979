import Testing

@testable import API
@testable import Consent
@testable import Store

/// Webhook endpoints over HTTP.
struct WebhookTests {
    private static let endpoints = "/v1/webhook-endpoints"

    private func app() async throws -> TestApp { try await TestService.get().newApp() }

    private func make(_ app: TestApp, _ body: String = #"{"url":"https://hooks.example/in"}"#) async throws -> (
        path: String, made: HTTPClient.Reply
    ) {
        let made = try await app.service.post(Self.endpoints, body)
        guard let path = made.headers["location"] else { throw TestFailure("endpoint: \(made.text)") }
        return (path, made)
    }

    // MARK: Endpoints

    @Test func anEndpointIsMadeReadAndListed() async throws {
        let app = try await app()
        let body =
            #"{"url":"https://hooks.example/in?x=1","types":["question.*","app.updated","question.*"],"description":"d"}"#
        let (path, made) = try await make(app, body)
        #expect(made.status == 201 && made.headers["etag"] == "\"1\"")
        let json = made.json
        let id = try #require(json.id.string)
        #expect(path == "/v1/webhook-endpoints/\(id)")
        #expect(json.url == "https://hooks.example/in?x=1" && json.types == ["question.*", "app.updated"])
        #expect(json["description"] == "d" && json.status == "enabled" && json.revision.int == 1)
        for name in ["disabledReason", "disabledAt", "failingSince", "lastSuccessAt"] { #expect(json[name] == .null) }
        let secret = try #require(json.secret.string)
        #expect(secret.hasPrefix("whsec_") && secret.utf8.count == 6 + 44)
        let shown = json.without("secret")
        #expect(try await app.viewer.get(path).json.isSame(as: shown))
        #expect(try await app.viewer.get(path).headers["etag"] == "\"1\"")
        let list = try await app.viewer.get(Self.endpoints)
        #expect(list.json.isSame(as: ["data": [shown], "nextCursor": .null]))
        #expect(!list.text.contains("whsec_"))
        let other = try await make(app)
        #expect(other.made.json.types == ["*"] && other.made.json.secret != json.secret)
        #expect(try await self.app().viewer.get(Self.endpoints).json.data == [])
        #expect(try await app.admin.get("\(path)?app=\(app.id)").status == 200)
    }

    @Test func aSecretIsKeptSealedForItsEndpointAlone() async throws {
        let app = try await app()
        let (path, made) = try await make(app)
        let id = try #require(made.json.id.string.flatMap { Identifier($0) })
        let store = try TestService.get().store
        func sealed() async throws -> [[UInt8]] {
            try await store.webhookEndpoint(AppID(trusted: app.id), id)?.secrets.map(\.sealed) ?? []
        }
        let first = try await sealed()
        #expect(first.map { String(decoding: $0.dropFirst(32), as: UTF8.self) } == ["\(app.id) \(id.text)"])
        let rotated = try await app.service.post(path + "/secret-rotations", #"{"overlapSeconds":60}"#)
        #expect(rotated.status == 201 && rotated.json.revision.int == 2 && rotated.headers["etag"] == "\"2\"")
        #expect(rotated.json.secret.string?.hasPrefix("whsec_") == true && rotated.json.secret != made.json.secret)
        let both = try await sealed()
        #expect(both.count == 2 && both.last == first.first)
        // A day where nothing is said.
        #expect(try await app.service.send("POST", path + "/secret-rotations").status == 201)
        for body in [#"{"overlapSeconds":-1}"#, #"{"overlapSeconds":604801}"#, #"{"overlapSeconds":"1"}"#] {
            let refused = try await app.service.post(path + "/secret-rotations", body)
            #expect(refused.status == 422 && refused.pointers == ["/overlapSeconds"])
        }
    }

    @Test func everyWrongFieldIsNamed() async throws {
        let app = try await app()
        let cases: [(String, [String])] = [
            ("{}", ["/url"]),
            (
                #"{"url":1,"types":"*","description":1,"status":"on","x":1}"#,
                ["/description", "/status", "/types", "/url", "/x"]
            ),
            (#"{"url":"http://hooks.example/"}"#, ["/url"]), (#"{"url":"ftp://hooks.example/"}"#, ["/url"]),
            (#"{"url":"https://u:p@hooks.example/"}"#, ["/url"]), (#"{"url":"https://hooks.example/#f"}"#, ["/url"]),
            (#"{"url":"https://127.0.0.1/"}"#, ["/url"]), (#"{"url":"https://0x7f.1/"}"#, ["/url"]),
            (#"{"url":"https://2130706433/"}"#, ["/url"]), (#"{"url":"https://[::ffff:10.0.0.1]/"}"#, ["/url"]),
            (#"{"url":"https://localhost/"}"#, ["/url"]), (#"{"url":"https://inside.example/"}"#, ["/url"]),
            (#"{"url":"https://hooks.example/","types":[]}"#, ["/types"]),
            (
                #"{"url":"https://hooks.example/","types":["question.*","question.unheard",1]}"#,
                ["/types/1", "/types/2"]
            ),
        ]
        let (path, _) = try await make(app)
        for (body, pointers) in cases {
            for reply in [try await app.service.post(Self.endpoints, body), try await app.service.put(path, body)] {
                #expect(reply.status == 422 && reply.pointers.sorted() == pointers, "\(body) \(reply.text)")
            }
        }
        // One that is blocked names what would allow it.
        let blocked = try await app.service.post(Self.endpoints, #"{"url":"https://inside.example/"}"#)
        #expect(blocked.json.errors[0].detail.string?.contains("webhook-allow") == true)
        #expect(try await app.viewer.get(Self.endpoints).json.data.array.count == 1)
    }

    @Test func aPutReplacesTheWhole() async throws {
        let app = try await app()
        let (path, made) = try await make(
            app, #"{"url":"https://hooks.example/in","types":["question.*"],"description":"d"}"#)
        let same = try await app.service.put(
            path, #"{"url":"https://hooks.example/in","types":["question.*"],"description":"d"}"#)
        #expect(same.status == 200 && same.json.isSame(as: made.json.without("secret")))
        let bare = try await app.service.put(path, #"{"url":"https://other.example/"}"#, [("If-Match", "\"1\"")])
        #expect(bare.json.types == ["*"] && bare.json["description"] == "" && bare.json.revision.int == 2)
        #expect(bare.headers["etag"] == "\"2\"" && bare.headers["location"] == nil)
        let stale = try await app.service.put(path, #"{"url":"https://x.example/"}"#, [("If-Match", "\"1\"")])
        #expect(stale.status == 412)
        let disabled = try await app.service.put(path, #"{"url":"https://other.example/","status":"disabled"}"#)
        #expect(disabled.json.status == "disabled" && disabled.json.disabledReason == "operator")
        #expect(disabled.json.disabledAt.string != nil)
        let enabled = try await app.service.put(path, #"{"url":"https://other.example/"}"#)
        #expect(enabled.json.status == "enabled" && enabled.json.disabledAt == .null && enabled.json.revision.int == 4)
        // It is told of in the log.
        let events = try await app.viewer.get("/v1/events?type=webhookEndpoint.*").json.data.array
        #expect(events.count == 1 && events[0].revision.int == 3)
        #expect(
            events[0].data.isSame(as: [
                "id": made.json.id, "status": "disabled", "disabledReason": "operator", "failingSince": .null,
            ]))
    }

    @Test func aDeletedEndpointIsGone() async throws {
        let app = try await app()
        let (path, _) = try await make(app)
        #expect(try await app.service.delete(path).status == 204)
        for reply in [
            try await app.service.get(path), try await app.service.delete(path),
            try await app.service.put(path, #"{"url":"https://x.example/"}"#),
            try await app.service.post(path + "/secret-rotations", "{}"),
            try await app.service.post(path + "/tests", "{}"),
            try await app.service.post(path + "/redeliveries", #"{"since":"2026-01-01T00:00:00Z"}"#),
            try await app.service.get(path + "/deliveries"),
            try await app.service.get(Self.endpoints + "/nonsense"),
        ] { #expect(reply.slug == "webhook-endpoint-not-found") }
        // Another app's is as unknown.
        let other = try await self.app()
        let (theirs, _) = try await make(other)
        #expect(try await app.service.get(theirs).slug == "webhook-endpoint-not-found")
        #expect(try await app.service.delete(theirs).slug == "webhook-endpoint-not-found")
    }

    @Test func whoMayDoWhat() async throws {
        let app = try await app()
        let (path, _) = try await make(app)
        for (method, target, body) in [
            ("POST", Self.endpoints, #"{"url":"https://x.example/"}"#), ("PUT", path, #"{"url":"https://x.example/"}"#),
            ("DELETE", path, ""), ("POST", path + "/secret-rotations", "{}"), ("POST", path + "/tests", "{}"),
            ("POST", path + "/redeliveries", #"{"since":"2026-01-01T00:00:00Z"}"#),
        ] {
            let type = [("Content-Type", "application/json")]
            #expect(try await app.viewer.send(method, target, type, body).status == 403, "\(method) \(target)")
            #expect(try await app.anybody.send(method, target, type, body).status == 401, "\(method) \(target)")
        }
        #expect(try await app.viewer.get(path + "/deliveries").status == 200)
    }

    // MARK: Deliveries

    @Test func aTestWaitsAndIsListedWithItsAttempts() async throws {
        let app = try await app()
        let (path, made) = try await make(app)
        let sent = try await app.service.send("POST", path + "/tests")
        #expect(sent.status == 202 && sent.json.status == "pending" && sent.json.type == "webhookEndpoint.test")
        #expect(sent.json.event == .null && sent.json.endpoint == made.json.id && sent.json.attempts == [])
        let store = try TestService.get().store
        let limits = ClaimLimits(count: 9, perEndpoint: 9, leaseSeconds: 60)
        let claimed = try await store.claimDeliveries(AppID(trusted: app.id), limits)
        try await store.recordDeliveries(
            AppID(trusted: app.id),
            claimed.map { DeliveryReport($0, .failed(.timeout), milliseconds: 15_000, jitter: 0) })
        let listed = try await app.viewer.get(path + "/deliveries?status=pending").json.data[0]
        #expect(listed.id == sent.json.id && listed.attempts.array.count == 1)
        let attempt = listed.attempts[0]
        #expect(attempt.number.int == 1 && attempt.durationMilliseconds.int == 15_000)
        #expect(attempt.statusCode == .null && attempt.failure == "timeout" && attempt.startedAt.string != nil)
        #expect(try await app.viewer.get(path).json.failingSince.string != nil)
        #expect(try await app.viewer.get(path + "/deliveries?status=failed").json.data == [])
        #expect(try await app.viewer.get(path + "/deliveries?status=lost").json.parameter == "status")
    }

    @Test func deliveriesArePagedNewestFirst() async throws {
        let app = try await app()
        let (path, _) = try await make(app)
        var sent: [String] = []
        for _ in 0..<5 { sent.append(try #require(try await app.service.post(path + "/tests", "{}").json.id.string)) }
        var seen: [String] = []
        var cursor = ""
        repeat {
            let page = try await app.viewer.get(path + "/deliveries?limit=2\(cursor)")
            seen += page.json.data.array.compactMap(\.id.string)
            cursor = page.json.nextCursor.string.map { "&cursor=\($0)" } ?? ""
        } while !cursor.isEmpty
        #expect(seen == sent.reversed())
        for nonsense in ["x", "d00", "s" + String(repeating: "0", count: 32)] {
            let reply = try await app.viewer.get(path + "/deliveries?cursor=\(nonsense)")
            #expect(reply.status == 400 && reply.json.parameter == "cursor")
        }
    }

    @Test func anEventOrAllSinceAMomentAreSentAgain() async throws {
        let app = try await app()
        let (path, _) = try await make(app)
        _ = try await app.service.put("/v1/persons/p", "{}")
        let events = try await app.viewer.get("/v1/events").json.data.array
        let event = try #require(events.last?.id.string)
        let one = try await app.service.post(path + "/redeliveries", #"{"event":"\#(event)"}"#)
        #expect(one.status == 202 && one.json.event == .string(event) && one.json.type == "person.updated")
        let since = try await app.service.post(path + "/redeliveries", #"{"since":"2026-01-01T00:00:00Z"}"#)
        #expect(since.status == 202 && since.json.members == ["after"])
        #expect(since.json.after.string?.hasSuffix("_0") == true)
        #expect(try await TestService.get().store.fanOut(AppID(trusted: app.id), limit: 100).deliveries == events.count)

        for (body, pointers) in [
            ("{}", [""]), (#"{"event":"\#(event)","since":"2026-01-01T00:00:00Z"}"#, [""]),
            (#"{"event":"7"}"#, ["/event"]), (#"{"event":"\#(event)9"}"#, ["/event"]),
            (#"{"event":"zzzzzzzz_1"}"#, ["/event"]), (#"{"since":"yesterday"}"#, ["/since"]),
        ] {
            let reply = try await app.service.post(path + "/redeliveries", body)
            #expect(reply.status == 422 && reply.pointers == pointers, "\(body) \(reply.text)")
        }
        _ = try await app.service.put(path, #"{"url":"https://hooks.example/in","status":"disabled"}"#)
        for body in [#"{"event":"\#(event)"}"#, #"{"since":"2026-01-01T00:00:00Z"}"#] {
            let reply = try await app.service.post(path + "/redeliveries", body)
            #expect(reply.slug == "webhook-endpoint-disabled" && reply.json.current.status == "disabled")
        }
    }

    // MARK: Retries

    @Test func aKeyedRequestIsCarriedOutOnce() async throws {
        let app = try await app()
        func keyed(_ path: String, _ body: String, _ key: String) async throws -> (HTTPClient.Reply, HTTPClient.Reply) {
            let header = [("Idempotency-Key", key)]
            return (try await app.service.post(path, body, header), try await app.service.post(path, body, header))
        }
        let (made, again) = try await keyed(Self.endpoints, #"{"url":"https://hooks.example/"}"#, "make")
        #expect(again.status == 201 && again.headers["idempotency-replayed"] == "true")
        #expect(again.json.isSame(as: made.json.without("secret")) && made.json.secret != .missing)
        #expect(try await app.viewer.get(Self.endpoints).json.data.array.count == 1)
        let path = try #require(made.headers["location"])
        let (rotated, rotatedAgain) = try await keyed(path + "/secret-rotations", "{}", "rotate")
        #expect(rotatedAgain.status == 201 && rotatedAgain.json.isSame(as: rotated.json.without("secret")))
        #expect(rotatedAgain.json.revision.int == 2)
        let (sent, sentAgain) = try await keyed(path + "/tests", "{}", "test")
        #expect(sentAgain.status == 202 && sentAgain.json.id == sent.json.id)
        let (since, sinceAgain) = try await keyed(path + "/redeliveries", #"{"since":"2026-01-01T00:00:00Z"}"#, "since")
        #expect(sinceAgain.status == 202 && sinceAgain.json.isSame(as: since.json))
        #expect(try await app.viewer.get(path + "/deliveries").json.data.array.count == 1)
        let header = [("Idempotency-Key", "delete")]
        for _ in 0..<2 { #expect(try await app.service.delete(path, header).status == 204) }
    }
}
