import Testing

/// Anything may come in: a clear problem, nothing stored, never a 500. One test a trap.
struct BadInputTests {
    private func client() async throws -> HTTPClient {
        try await TestService.get().newApp().service
    }

    // MARK: Bodies that are not JSON

    @Test(arguments: [
        "", " ", "{", "{}{}", #"{"a":1,}"#, "{'a':1}", #"{"a":1 /* x */}"#, "\u{feff}{}", "nul", #"{"a":01}"#,
        #"{"a":NaN}"#, #"{"a":1e400}"#, #"{"a":18446744073709551616}"#, #"{"a":"\#u{1}"}"#, #"{"a":"\ud800"}"#,
        #"{"region":"DE","region":"FR"}"#, #"{"region":"DE","\u0072egion":"FR"}"#, #"{"region":"a\u0000b"}"#,
        String(repeating: "[", count: 60_000), #"{"a":"# + String(repeating: "[", count: 32),
    ])
    func unreadable(_ body: String) async throws {
        let client = try await client()
        let reply = try await client.put("/v1/persons/p", body)
        #expect(reply.status == 400 && reply.slug == "malformed-body", "\(body.prefix(40)): \(reply.text)")
        #expect(try await client.get("/v1/persons/p").status == 404)
    }

    @Test(arguments: [
        [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d], [0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d],
        [0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d], [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00],
    ])
    func notUTF8(_ body: [UInt8]) async throws {
        let client = try await client()
        let key = try #require(client.key)
        let head =
            "PUT /v1/persons/p HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer \(key)\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        #expect(try await client.raw(Array(head.utf8) + body).slug == "malformed-body")
    }

    @Test(arguments: ["[]", "null", "7", "\"x\"", "true"])
    func noObject(_ body: String) async throws {
        let reply = try await client().put("/v1/persons/p", body)
        #expect(reply.status == 422 && reply.pointers == [""], "\(reply.text)")
    }

    @Test func everyWrongFieldAtOnce() async throws {
        let client = try await client()
        let reply = try await client.post(
            "/v1/questions",
            #"{"person":"","topic":{"kind":"purchase","product":7},"expirationDate":"tomorrow","quorum":true,"a~/b":1}"#
        )
        #expect(reply.status == 422 && reply.slug == "invalid-body")
        #expect(
            Set(reply.pointers) == [
                "/person", "/topic/product", "/description", "/expirationDate", "/quorum", "/a~0~1b",
            ])
        #expect(try await client.get("/v1/questions").json.data == [])
    }

    @Test(arguments: [
        "2026-02-30T00:00:00Z", "2026-12-05T24:00:00Z", "2026-12-05T23:59:60Z", "2026-12-05T00:00:00+25:00",
        "2026-12-05T00:00:00.Z", "2026-12-05 00:00:00Z", "2026-12-05T00:00:00", "2026-12-05", "10000-01-01T00:00:00Z",
        "1e9", "\u{0662}026-12-05T00:00:00Z", "2026-12-05T00:00:00Z ",
    ])
    func timestamps(_ text: String) async throws {
        let reply = try await client().post(
            "/v1/questions",
            #"{"person":"p","topic":{"kind":"purchase","product":"x"},"description":"d","expirationDate":"\#(text)"}"#)
        #expect(reply.status == 422 && reply.pointers == ["/expirationDate"], "\(reply.text)")
    }

    @Test(arguments: ["0", "-1", "11", "1.0", "1e0", "true", "\"1\"", "9223372036854775807"])
    func integers(_ quorum: String) async throws {
        let reply = try await client().post(
            "/v1/questions",
            #"{"person":"p","topic":{"kind":"purchase","product":"x"},"description":"d","quorum":\#(quorum)}"#)
        #expect(reply.status == 422 && reply.pointers == ["/quorum"], "\(reply.text)")
    }

    // MARK: Paths

    @Test(arguments: [
        "/v1/persons/a%00b", "/v1/persons/%zz", "/v1/persons/%", "/v1/persons/%f", "/v1/persons/%ff",
        "/v1/persons/%ed%a0%80", "/v1/persons/a%0ab", "/v1/questions?state=%zz", "/v1/questions?state=%00",
        "/v1/questions?person=%ff",
    ])
    func badEscapes(_ path: String) async throws {
        let reply = try await client().get(path)
        #expect(reply.status == 400 && reply.slug == "malformed-request", "\(reply.text)")
    }

    @Test(arguments: [
        "/v1/questions/", "/v1//questions", "//v1/questions", "/v1/questions/not-a-uuid", "/v1/persons/",
        "/v1/questions/01930000-0000-7001-8000-00000000000", "/V1/questions", "/v1", "/",
        "/v1/questions/01930000000070018000000000000002", "/v1/persons/a%C2%85b", "/v2/questions",
    ])
    func nothingThere(_ path: String) async throws {
        let reply = try await client().get(path)
        #expect(reply.status == 404, "\(path): \(reply.text)")
        #expect(reply.slug?.hasSuffix("not-found") == true)
    }

    @Test func idsAreDecodedOnceAndComparedAsBytes() async throws {
        let client = try await client()
        for (path, id) in [
            ("a%2Fb", "a/b"), ("a%252Fb", "a%2Fb"), ("..%2F..", "../.."), ("caf%C3%A9", "caf\u{e9}"),
            ("cafe%CC%81", "cafe\u{301}"), ("a+b", "a+b"), ("%F0%9F%91%A9", "\u{1f469}"), ("a%3Fb%23", "a?b#"),
        ] {
            let made = try await client.put("/v1/persons/\(path)", "{}")
            #expect(made.status == 201, "\(path): \(made.text)")
            #expect(made.json.id.string.map { Array($0.utf8) } == Array(id.utf8), "\(path)")
            #expect(made.headers["location"] == "/v1/persons/\(path)")
            #expect(try await client.get("/v1/persons/\(path)").status == 200)
        }
    }

    // MARK: Queries

    @Test(arguments: [
        ("limit=0", "limit"), ("limit=-1", "limit"), ("limit=1.5", "limit"), ("limit=abc", "limit"),
        ("limit=%2B5", "limit"), ("limit=0x10", "limit"), ("limit=", "limit"), ("limit=nan", "limit"),
        ("limit=1&limit=1", "limit"), ("unknown=1", "unknown"), ("state=waiting", "state"), ("state=", "state"),
        ("state=PENDING", "state"), ("state=pending&state=pending", "state"), ("topic=other", "topic"),
        ("person=", "person"), ("guardian=", "guardian"), ("change=", "change"),
        ("expiringBefore=2026-02-30T00:00:00Z", "expiringBefore"), ("createdAfter=yesterday", "createdAfter"),
        ("expiringBefore=2026-12-05T00:00:00+01:00", "expiringBefore"), ("cursor=", "cursor"),
        ("cursor=x", "cursor"), ("cursor=p7fffffffffffffff01930000000070018000000000000002&state=pending", "cursor"),
        ("cursor=c01930000000070018000000000000002&state=pending", "cursor"), ("state", "state"),
        ("Limit=5", "Limit"), ("limit%00=5", nil),
    ])
    func lists(_ query: String, _ parameter: String?) async throws {
        let reply = try await client().get("/v1/questions?\(query)")
        #expect(reply.status == 400, "\(query): \(reply.text)")
        if let parameter { #expect(reply.json.parameter == .string(parameter), "\(query): \(reply.text)") }
    }

    @Test(arguments: [
        "after=", "after=5", "after=x_5", "after=_5", "after=x_05", "after=x_-1", "limit=0", "cursor=x",
        "after=x_99999999999999999999",
    ])
    func eventQueries(_ query: String) async throws {
        let reply = try await client().get("/v1/events?\(query)")
        #expect(reply.status == 400 && reply.slug == "invalid-parameter", "\(query): \(reply.text)")
    }

    @Test func aCursorOfAnotherLogIsRefused() async throws {
        let service = try TestService.get()
        let one = try await service.newApp().service
        let other = try await service.newApp().service
        let cursor = try #require(try await one.get("/v1/events").json.nextCursor.string)
        let reply = try await other.get("/v1/events?after=\(cursor)")
        #expect(reply.status == 400 && reply.json.parameter == "after")
    }

    @Test func routesWithoutAQueryTakeNone() async throws {
        let app = try await TestService.get().newApp()
        for path in ["/v1/persons/p", "/v1/changes/c", "/v1/persons/p/guardians"] {
            #expect(try await app.service.get(path + "?x=1").json.parameter == "x", "\(path)")
        }
        #expect(try await app.admin.get("/v1/apps/\(app.id)?app=\(app.id)").json.parameter == "app")
    }

    // MARK: Media types

    @Test(arguments: [
        "text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", "multipart/form-data",
        "application/xml", "",
    ])
    func mediaTypes(_ type: String) async throws {
        let client = try await client()
        let headers = type.isEmpty ? [] : [("Content-Type", type)]
        let reply = try await client.send("PUT", "/v1/persons/p", headers, "{}")
        #expect(reply.status == 415 && reply.slug == "unsupported-media-type", "\(reply.text)")
        let linked = try await client.send("PUT", "/v1/persons/p/guardians/g", headers, "{}")
        #expect(linked.status == 415)
    }

    @Test func utf8IsNamedInManyWays() async throws {
        let client = try await client()
        for type in ["application/json; charset=utf-8", "application/json;charset=\"UTF-8\"", "APPLICATION/JSON"] {
            let reply = try await client.send("PUT", "/v1/persons/p", [("Content-Type", type)], "{}")
            #expect([200, 201].contains(reply.status), "\(type)")
        }
    }

    @Test func compressedBodiesAreRefused() async throws {
        let reply = try await client().put("/v1/persons/p", "{}", [("Content-Encoding", "gzip")])
        #expect(reply.status == 415 && reply.headers["accept-encoding"] == "identity")
    }

    @Test func whatHasNothingToSayMayBeEmpty() async throws {
        let app = try await TestService.get().newApp()
        #expect(try await app.service.send("PUT", "/v1/persons/p/guardians/g").status == 201)
        let asked = try await app.service.post(
            "/v1/questions", #"{"person":"p","topic":{"kind":"purchase","product":"x"},"description":"d"}"#)
        let id = try #require(asked.json.id.string)
        #expect(try await app.service.send("POST", "/v1/questions/\(id)/cancellation").status == 200)
        #expect(try await app.service.send("PUT", "/v1/persons/p").status == 415)
        #expect(try await app.service.put("/v1/persons/p/guardians/g2", #"{"x":1}"#).pointers == ["/x"])
    }

    // MARK: Framing

    @Test func framingIsRefusedWithProblems() async throws {
        let client = try await client()
        for (head, slug) in [
            ("Content-Length: 2\r\nTransfer-Encoding: chunked\r\nHost: x", "invalid-header"),
            ("Content-Length: 2\r\nContent-Length: 2\r\nHost: x", "invalid-header"),
            ("Host: x\r\nHost: y", "invalid-header"), ("Transfer-Encoding: gzip, chunked\r\nHost: x", "invalid-header"),
            ("X: y", "invalid-header"),
        ] {
            let reply = try await client.raw(
                Array("PUT /v1/persons/p HTTP/1.1\r\n\(head)\r\nConnection: close\r\n\r\n{}".utf8))
            #expect(reply.status == 400, "\(head): \(reply.text)")
            #expect(reply.slug == slug, "\(head): \(reply.text)")
        }
    }

    @Test func whatIsTooLargeIsNotRead() async throws {
        let client = try await client()
        let head =
            "PUT /v1/persons/p HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 70000\r\n"
            + "Expect: 100-continue\r\nConnection: close\r\n\r\n"
        let reply = try await client.raw(Array(head.utf8))
        #expect(reply.status == 413 && reply.slug == "body-too-large")
    }
}
