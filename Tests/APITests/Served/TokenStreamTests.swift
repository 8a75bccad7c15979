import Consent
import Foundation
import Testing

@testable import API

/// Streams and waits that a token opened: what they bring, and how they end.
@Suite(.timeLimit(.minutes(3))) struct TokenStreamTests {
    private func with(
        _ change: (inout EventFeed.Settings) -> Void = { _ in }, _ body: (Instance, TestApp) async throws -> Void
    ) async throws {
        let app = try await TestService.get().newApp()
        try await Instance.use(change) { try await body($0, app) }
    }

    private func token(
        _ instance: Instance, _ maker: HTTPClient, _ subject: String, seconds: Int = 600
    ) async throws -> HTTPClient {
        let made = try await HTTPClient(port: instance.port, key: maker.key).post(
            "/v1/tokens",
            #"{\#(subject),"actions":["events.read","question.read"],"expiresInSeconds":\#(seconds)}"#)
        guard let text = made.json.token.string else { throw TestFailure(made.text) }
        return HTTPClient(port: instance.port, key: text)
    }

    private func ask(_ client: HTTPClient, _ person: String, _ product: String) async throws {
        let reply = try await client.post(
            "/v1/questions",
            #"{"person":"\#(person)","topic":{"kind":"purchase","product":"\#(product)"},"description":"d"}"#)
        guard reply.status == 201 else { throw TestFailure(reply.text) }
    }

    /// Each event's type, and the product that a question is about.
    private func told(_ seen: StreamClient.Seen) -> [String] {
        seen.events.map { event in
            let product = JSON(Array(event.data.utf8))["data"]["topic"]["product"].string
            return event.type + (product.map { " \($0)" } ?? "")
        }
    }

    /// Waits until an event that everybody is shown who may has come through.
    private func settled(_ app: TestApp, _ stream: StreamClient, _ person: String) async throws {
        var number = 0
        while stream.seen.events.isEmpty, !stream.seen.isOver {
            try await ask(app.service, person, "warm-\(number)")
            number += 1
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test func aGuardiansStreamFollowsTheirLinks() async throws {
        try await with { instance, app in
            let service = instance.client(app)
            for person in ["p-1", "p-2", "p-3"] { _ = try await service.put("/v1/persons/\(person)", "{}") }
            _ = try await service.put("/v1/persons/p-1/guardians/g-1", "{}")
            _ = try await service.put("/v1/persons/p-3/guardians/g-2", "{}")
            let client = try await token(instance, app.service, #""guardian":"g-1""#)
            let begin = try await client.get("/v1/events")
            let stream = try StreamClient(client, "/v1/events?after=\(begin.json["nextCursor"].string ?? "")")
            await stream.wait { !$0.head.isEmpty }
            try await settled(app, stream, "p-1")
            let before = stream.seen.events.count
            try await ask(service, "p-2", "not yet")
            try await ask(service, "p-3", "never")
            // Through both servers: the one that holds the stream hears of the other.
            _ = try await app.service.put("/v1/persons/p-2/guardians/g-1", "{}")
            try await ask(service, "p-2", "linked")
            _ = try await service.put("/v1/persons/p-2/guardians/g-2", "{}")
            _ = try await app.service.delete("/v1/persons/p-2/guardians/g-1")
            try await ask(service, "p-2", "unlinked")
            _ = try await service.put("/v1/persons/p-2/guardians/g-1", "{}")
            try await ask(service, "p-2", "again")
            // What is read after an erasure names no guardian any more, so that must have been told before.
            await stream.wait { told($0).last == "question.created again" }
            _ = try await service.delete("/v1/persons/p-2")
            _ = try await service.put("/v1/persons/p-2", "{}")
            try await ask(service, "p-2", "somebody else")
            try await ask(service, "p-1", "last")
            let seen = await stream.wait { told($0).last == "question.created last" }
            let expected = [
                "guardian.linked", "question.created linked", "guardian.linked", "guardian.unlinked", "guardian.linked",
                "question.created again", "person.erased", "question.created last",
            ]
            let shown = told(seen).filter { !$0.contains("warm") && !$0.hasPrefix("question.cancelled") }
            #expect(shown == expected, "\(told(seen).dropFirst(before))")
        }
    }

    @Test func aGuardiansStreamCatchesUpExactly() async throws {
        try await with { instance, app in
            let service = instance.client(app)
            // Somebody must be able to answer all the while.
            for person in ["p-1", "p-2"] { _ = try await service.put("/v1/persons/\(person)/guardians/g-2", "{}") }
            let client = try await token(instance, app.service, #""guardian":"g-1""#)
            let begin = try await service.get("/v1/events?limit=1").json["nextCursor"].string ?? ""
            for number in 0..<150 {
                try await ask(service, "p-1", "hidden-\(number)")
                if number == 20 { _ = try await service.put("/v1/persons/p-1/guardians/g-1", "{}") }
                if number == 40 { _ = try await service.delete("/v1/persons/p-1/guardians/g-1") }
                if number == 60 { _ = try await service.put("/v1/persons/p-1/guardians/g-1", "{}") }
            }
            let stream = try StreamClient(client, "/v1/events?after=\(begin)")
            await stream.wait { told($0).contains("question.created hidden-149") }
            try await ask(service, "p-2", "foreign")
            try await ask(service, "p-1", "live")
            let seen = await stream.wait { told($0).last == "question.created live" }
            let expected =
                ["guardian.linked"] + (21...40).map { "question.created hidden-\($0)" } + [
                    "guardian.unlinked", "guardian.linked",
                ]
                + (61..<150).map { "question.created hidden-\($0)" } + ["question.created live"]
            #expect(told(seen) == expected)
        }
    }

    @Test func aPersonsStreamIsAboutThemAlone() async throws {
        try await with { instance, app in
            let service = instance.client(app)
            for person in ["p-1", "p-2"] { _ = try await service.put("/v1/persons/\(person)", "{}") }
            let client = try await token(instance, app.service, #""person":"p-1""#)
            let stream = try StreamClient(client, "/v1/events")
            await stream.wait { !$0.head.isEmpty }
            try await settled(app, stream, "p-1")
            try await ask(service, "p-2", "foreign")
            _ = try await service.delete("/v1/persons/p-1")
            let erased = await stream.wait { $0.events.last?.type == "person.erased" }
            _ = try await service.put("/v1/persons/p-1", "{}")
            try await ask(service, "p-1", "somebody else")
            try await ask(service, "p-2", "foreign too")
            try await Task.sleep(for: .milliseconds(300))
            #expect(stream.seen.events.count == erased.events.count)
            #expect(!told(stream.seen).contains { $0.contains("foreign") || $0.contains("somebody") })
            let late = try StreamClient(client, "/v1/events")
            #expect(await late.wait { !$0.head.isEmpty }.head.contains("404"))
        }
    }

    @Test func streamsEndWithTheToken() async throws {
        try await with { instance, app in
            _ = try await app.service.put("/v1/persons/p-1", "{}")
            let client = try await token(instance, app.service, #""person":"p-1""#, seconds: 10)
            let began = ContinuousClock.now
            let stream = try StreamClient(client, "/v1/events")
            let seen = await stream.wait { $0.isOver }
            #expect(seen.isOver && seen.isComplete && seen.head.contains("200"))
            #expect(ContinuousClock.now - began < .seconds(20))
        }
    }

    @Test func streamsAndWaitsEndWithTheKey() async throws {
        try await with { instance, app in
            _ = try await app.service.put("/v1/persons/p-1", "{}")
            let made = try await app.admin.post("/v1/apps/\(app.id)/keys", #"{"role":"service"}"#)
            let maker = HTTPClient(port: instance.port, key: made.json["key"].string)
            let client = try await token(instance, maker, #""person":"p-1""#)
            let stream = try StreamClient(client, "/v1/events")
            await stream.wait { !$0.head.isEmpty }
            let cursor = try await client.get("/v1/events").json["nextCursor"].string ?? ""
            async let wait = client.get("/v1/events?after=\(cursor)", [("Prefer", "wait=30")])
            try await Task.sleep(for: .milliseconds(200))
            let began = ContinuousClock.now
            // Through the other server: this one only learns of it by looking.
            _ = try await app.admin.delete("/v1/apps/\(app.id)/keys/\(made.json.id.string ?? "")")
            let seen = await stream.wait { $0.isOver }
            #expect(seen.isOver && ContinuousClock.now - began < .seconds(5))
            #expect(try await wait.slug == "unauthenticated")
            #expect(ContinuousClock.now - began < .seconds(5))
        }
    }

    @Test func waitsAreCutWhereTheTokenEnds() async throws {
        try await with { instance, app in
            _ = try await app.service.put("/v1/persons/p-1", "{}")
            let client = try await token(instance, app.service, #""person":"p-1""#, seconds: 10)
            let cursor = try await client.get("/v1/events").json["nextCursor"].string ?? ""
            let began = ContinuousClock.now
            let reply = try await client.get("/v1/events?after=\(cursor)", [("Prefer", "wait=50")])
            #expect(reply.slug == "unauthenticated" && ContinuousClock.now - began < .seconds(30))
        }
    }

    @Test func aGuardiansWaitIsWokenByALinkToSomebodyNew() async throws {
        try await with { instance, app in
            _ = try await app.service.put("/v1/persons/p-1", "{}")
            let client = try await token(instance, app.service, #""guardian":"g-1""#)
            let cursor = try await client.get("/v1/events").json["nextCursor"].string ?? ""
            let began = ContinuousClock.now
            async let wait = client.get("/v1/events?after=\(cursor)", [("Prefer", "wait=20")])
            try await Task.sleep(for: .milliseconds(300))
            try await ask(instance.client(app), "p-1", "hidden")
            _ = try await instance.client(app).put("/v1/persons/p-1/guardians/g-1", "{}")
            let page = try await wait
            #expect(page.json["data"].array.compactMap { $0["type"].string } == ["guardian.linked"])
            #expect(ContinuousClock.now - began < .seconds(10))
        }
    }

    @Test func oneSubjectHasOnlySoMany() async throws {
        try await with {
            $0.streamsPerSubject = 2
        } _: { instance, app in
            _ = try await app.service.put("/v1/persons/p-1", "{}")
            _ = try await app.service.put("/v1/persons/p-2", "{}")
            var streams: [StreamClient] = []
            for _ in 0..<2 {
                let client = try await token(instance, app.service, #""person":"p-1""#)
                streams.append(try StreamClient(client, "/v1/events"))
                await streams.last?.wait { !$0.head.isEmpty }
            }
            let client = try await token(instance, app.service, #""person":"p-1""#)
            let refused = try StreamClient(client, "/v1/events")
            #expect(await refused.wait { !$0.head.isEmpty }.head.contains("429"))
            let other = try StreamClient(try await token(instance, app.service, #""person":"p-2""#), "/v1/events")
            #expect(await other.wait { !$0.head.isEmpty }.head.contains("200"))
        }
    }
}
