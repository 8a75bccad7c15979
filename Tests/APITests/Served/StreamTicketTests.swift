import Foundation
import Testing

@testable import API

/// Tickets for streams, as a page asks for them and as its `EventSource` comes with them.
@Suite(.timeLimit(.minutes(3))) struct StreamTicketTests {
    private func with(_ body: (Instance, TestApp) async throws -> Void) async throws {
        let app = try await TestService.get().newApp(#"{"name":"Test","allowedOrigins":["https://app.example"]}"#)
        try await Instance.use { try await body($0, app) }
    }

    private func mint(_ client: HTTPClient, _ filter: String = "{}") async throws -> String {
        let reply = try await client.post("/v1/stream-tickets", #"{"filter":\#(filter)}"#)
        guard reply.status == 201, let ticket = reply.json["ticket"].string else { throw TestFailure(reply.text) }
        return ticket
    }

    private func open(_ client: HTTPClient, _ query: String, lastID: String? = nil, headers: String = "") throws
        -> StreamClient
    {
        try StreamClient(
            HTTPClient(port: client.port, key: nil), "/v1/events?" + query, lastID: lastID, headers: headers)
    }

    @Test func opensWhatItWasMadeFor() async throws {
        try await with { instance, app in
            let client = instance.client(app)
            for person in ["p", "q"] { _ = try await client.put("/v1/persons/\(person)", "{}") }
            let begin = try await client.get("/v1/events?limit=100").json["nextCursor"].string ?? ""
            let asked = try await client.post(
                "/v1/questions", #"{"person":"p","topic":{"kind":"purchase","product":"x"},"description":"d"}"#)
            let question = try #require(asked.json.id.string)
            _ = try await client.put("/v1/persons/q", #"{"region":"US"}"#)
            _ = try await client.post("/v1/questions/\(question)/cancellation", "{}")
            for (filter, types) in [
                ("null", ["question.created", "person.updated", "question.cancelled"]),
                (#"{"person":"q"}"#, ["person.updated"]),
                (#"{"question":"\#(question)"}"#, ["question.created", "question.cancelled"]),
                (#"{"person":"p","types":["question.cancelled","key.*"]}"#, ["question.cancelled"]),
            ] {
                // A viewer only reads, and so does a stream.
                let ticket = try await mint(HTTPClient(port: client.port, key: app.viewer.key), filter)
                let stream = try open(client, "ticket=\(ticket)&after=\(begin)")
                let seen = await stream.wait { $0.events.count >= types.count }
                #expect(seen.events.map(\.type) == types, "\(filter)")
                stream.leave()
            }
            // Whoever goes on after the ticket's cursor misses nothing, however late they come.
            let early = try await client.post("/v1/stream-tickets", "{}")
            _ = try await client.put("/v1/persons/between", "{}")
            let late = try open(
                client, "ticket=\(early.json["ticket"].string ?? "")&after=\(early.json["cursor"].string ?? "")")
            #expect(await late.wait { !$0.events.isEmpty }.events.map(\.type) == ["person.updated"])
            // What a browser says after its connection broke is newer than its address.
            let all = try await client.get("/v1/events?after=\(begin)").json["data"].array.compactMap(\.id.string)
            let ticket = try await mint(client)
            let stream = try open(client, "ticket=\(ticket)&after=\(begin)", lastID: all[1])
            #expect(await stream.wait { !$0.events.isEmpty }.events.map(\.id) == [all[2]])
        }
    }

    @Test func isUsedUpByOneOfAllWhoComeAtOnce() async throws {
        try await with { instance, app in
            let other = try Instance()
            for round in 0..<6 {
                let ticket = try await mint(instance.client(app))
                let streams = try (0..<6).map {
                    try open(($0 % 2 == 0 ? instance : other).client(app), "ticket=\(ticket)")
                }
                var opened = 0
                for stream in streams {
                    let head = await stream.wait { !$0.head.isEmpty }.head
                    if head.contains("200 OK") { opened += 1 } else { #expect(head.contains("401"), "\(round)") }
                    stream.leave()
                }
                #expect(opened == 1, "\(round)")
            }
            await other.stop()
        }
    }

    @Test func refusesWithoutUsingItUp() async throws {
        try await with { instance, app in
            let client = instance.client(app)
            let nobody = HTTPClient(port: client.port, key: nil)
            let stream = ("Accept", "text/event-stream")
            let ticket = try await mint(client)
            let path = "/v1/events?ticket=\(ticket)"
            #expect(try await nobody.get(path).slug == "invalid-header")
            #expect(try await client.get(path, [stream]).slug == "invalid-header")
            for query in ["&person=p", "&app=\(app.id)", "&ticket=\(ticket)", "&limit=3"] {
                #expect(try await nobody.get(path + query, [stream]).slug == "invalid-parameter", "\(query)")
            }
            let opened = try open(client, "ticket=\(ticket)")
            #expect(await opened.wait { !$0.head.isEmpty }.head.contains("200 OK"))
            for wrong in [ticket, "", "ticket_\(app.id)_x", String(ticket.dropLast()) + "!", app.service.key ?? ""] {
                let refused = try await nobody.get("/v1/events?ticket=\(wrong)", [stream])
                #expect(refused.status == 401 && refused.slug == "unauthenticated", "\(wrong)")
                #expect(!refused.text.contains(ticket))
            }
            // Another app's name on it makes it another ticket, and one of an app that is not is none.
            let other = try await TestService.get().newApp()
            let moved = try await mint(client).replacing("_\(app.id)_", with: "_\(other.id)_")
            #expect(try await nobody.get("/v1/events?ticket=\(moved)", [stream]).status == 401)
            let nowhere = try await mint(client).replacing("_\(app.id)_", with: "_nowhere_")
            #expect(try await nobody.get("/v1/events?ticket=\(nowhere)", [stream]).status == 401)
        }
    }

    @Test func refusesWhatItCannotBeMadeFor() async throws {
        let app = try await TestService.get().newApp()
        let unknown = "00000000-0000-7000-8000-000000000000"
        for (body, slug) in [
            (#"{"filter":{"person":"nobody"}}"#, "person-not-found"),
            (#"{"filter":{"question":"\#(unknown)"}}"#, "question-not-found"),
            (#"{"filter":{"person":"p","question":"\#(unknown)"}}"#, "invalid-body"),
            (#"{"filter":{"question":"x"}}"#, "invalid-body"), (#"{"filter":{"types":[]}}"#, "invalid-body"),
            (#"{"filter":{"types":["question"]}}"#, "invalid-body"), (#"{"filter":{"type":"x"}}"#, "invalid-body"),
            (#"{"person":"p"}"#, "invalid-body"), ("[", "malformed-body"),
        ] {
            #expect(try await app.service.post("/v1/stream-tickets", body).slug == slug, "\(body)")
        }
        #expect(try await app.anybody.post("/v1/stream-tickets", "{}").status == 401)
        #expect(try await app.admin.post("/v1/stream-tickets", "{}").slug == "app-required")
        #expect(try await app.admin.post("/v1/stream-tickets?app=nowhere", "{}").slug == "app-not-found")
        let made = try await app.admin.post("/v1/stream-tickets?app=\(app.id)", "")
        #expect(made.status == 201 && made.json["ticket"].string?.hasPrefix("ticket_\(app.id)_") == true)
        let key = [("Idempotency-Key", "k")]
        let first = try await app.service.post("/v1/stream-tickets", "{}", key)
        let again = try await app.service.post("/v1/stream-tickets", "{}", key)
        #expect(first.status == 201 && again.status == 201 && again.json["ticket"].string == nil)
        #expect(again.json["expiresAt"].string == first.json["expiresAt"].string)
    }

    @Test func answersTheOriginsOfItsApp() async throws {
        try await with { instance, app in
            let listed = try await TestService.get().newApp(
                #"{"name":"Other","allowedOrigins":["https://other.example"]}"#)
            let nobody = HTTPClient(port: instance.port, key: nil)
            for (origin, shows) in [("https://app.example", true), ("https://other.example", false)] {
                let ticket = try await mint(instance.client(app))
                let stream = try open(
                    instance.client(app), "ticket=\(ticket)", headers: "Origin: \(origin)\r\n")
                let head = await stream.wait { !$0.head.isEmpty }.head.lowercased()
                #expect(head.contains("access-control-allow-origin: \(origin)") == shows, "\(origin)")
                stream.leave()
                // Nothing tells whose it was any more.
                let refused = try await nobody.get(
                    "/v1/events?ticket=\(ticket)", [("Accept", "text/event-stream"), ("Origin", origin)])
                #expect(refused.status == 401 && refused.headers["access-control-allow-origin"] == origin)
            }
            _ = listed
        }
    }

    @Test func endsWithTheKeyThatAskedForIt() async throws {
        try await with { instance, app in
            let issued = try await app.admin.post("/v1/apps/\(app.id)/keys", #"{"role":"viewer","label":"v"}"#)
            let viewer = HTTPClient(port: instance.port, key: issued.json["key"].string)
            let unused = try await mint(viewer)
            let stream = try open(viewer, "ticket=\(try await mint(viewer))")
            await stream.wait { !$0.head.isEmpty }
            let began = ContinuousClock.now
            let id = try #require(issued.json.id.string)
            #expect(try await app.admin.delete("/v1/apps/\(app.id)/keys/\(id)").status == 204)
            #expect(await stream.wait { $0.isOver }.isComplete && ContinuousClock.now - began < .seconds(5))
            let late = try open(viewer, "ticket=\(unused)")
            #expect(await late.wait { !$0.head.isEmpty }.head.contains("401"))
        }
    }
}
