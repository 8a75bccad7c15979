import Foundation
import Testing

@testable import API

/// Tickets for streams that browsers' tokens ask for: they open what the token's subject may know, for as long as the token lives.
@Suite(.timeLimit(.minutes(3))) struct TokenTicketTests {
    private func with(
        _ change: (inout EventFeed.Settings) -> Void = { _ in }, _ body: (Instance, TestApp) async throws -> Void
    ) async throws {
        let app = try await TestService.get().newApp()
        for person in ["p-1", "p-2"] { _ = try await app.service.put("/v1/persons/\(person)", "{}") }
        _ = try await app.service.put("/v1/persons/p-1/guardians/g-1", "{}")
        try await Instance.use(change) { try await body($0, app) }
    }

    private func token(
        _ instance: Instance, _ maker: HTTPClient, _ subject: String, seconds: Int = 600,
        actions: String = #"["events.read","question.read"]"#
    ) async throws -> HTTPClient {
        let made = try await maker.post(
            "/v1/tokens", #"{\#(subject),"actions":\#(actions),"expiresInSeconds":\#(seconds)}"#)
        guard let text = made.json.token.string else { throw TestFailure(made.text) }
        return HTTPClient(port: instance.port, key: text)
    }

    /// A stream that begins where its ticket was made.
    private func open(_ client: HTTPClient, _ body: String = "{}") async throws -> StreamClient {
        let made = try await client.post("/v1/stream-tickets", body)
        guard let ticket = made.json["ticket"].string, let cursor = made.json["cursor"].string else {
            throw TestFailure(made.text)
        }
        return try StreamClient(
            HTTPClient(port: client.port, key: nil), "/v1/events?ticket=\(ticket)&after=\(cursor)")
    }

    private func ask(_ app: TestApp, _ person: String, _ product: String) async throws -> String {
        let reply = try await app.service.post(
            "/v1/questions",
            #"{"person":"\#(person)","topic":{"kind":"purchase","product":"\#(product)"},"description":"d"}"#)
        guard reply.status == 201, let id = reply.json.id.string else { throw TestFailure(reply.text) }
        return id
    }

    private func products(_ seen: StreamClient.Seen) -> [String] {
        seen.events.compactMap { JSON(Array($0.data.utf8))["data"]["topic"]["product"].string }
    }

    @Test func opensWhatTheSubjectMayKnow() async throws {
        try await with { instance, app in
            let child = try await token(instance, app.service, #""person":"p-1""#)
            let guardian = try await token(instance, app.service, #""guardian":"g-1""#)
            let before = try await ask(app, "p-1", "before")
            let streams = [
                try await open(child), try await open(guardian),
                try await open(child, #"{"filter":{"question":"\#(before)"}}"#),
                try await open(guardian, #"{"filter":{"person":"p-1","types":["question.cancelled"]}}"#),
                try await open(guardian, #"{"filter":{"question":"\#(before)"}}"#),
            ]
            for stream in streams { #expect(await stream.wait { !$0.head.isEmpty }.head.contains("200 OK")) }
            _ = try await ask(app, "p-2", "another's")
            _ = try await ask(app, "p-1", "theirs")
            _ = try await app.service.post("/v1/questions/\(before)/cancellation", "{}")
            _ = try await app.service.put("/v1/persons/p-2/guardians/g-1", "{}")
            _ = try await ask(app, "p-2", "linked")
            _ = try await ask(app, "p-1", "last")
            for (index, wanted) in [
                ["theirs", "before", "last"], ["theirs", "before", "linked", "last"], ["before"], ["before"],
                ["before"],
            ].enumerated() {
                let seen = await streams[index].wait { products($0).count >= wanted.count }
                #expect(products(seen) == wanted, "\(index)")
            }
        }
    }

    @Test func asksForNothingElse() async throws {
        try await with { instance, app in
            let theirs = try await ask(app, "p-1", "a")
            let foreign = try await ask(app, "p-2", "b")
            for subject in [#""person":"p-1""#, #""guardian":"g-1""#] {
                let client = try await token(instance, app.service, subject)
                for (filter, slug) in [
                    (#"{"person":"p-2"}"#, "person-not-found"), (#"{"person":"nobody"}"#, "person-not-found"),
                    (#"{"question":"\#(foreign)"}"#, "question-not-found"),
                ] {
                    let refused = try await client.post("/v1/stream-tickets", #"{"filter":\#(filter)}"#)
                    #expect(refused.slug == slug, "\(subject) \(filter)")
                }
                let made = try await client.post("/v1/stream-tickets", #"{"filter":{"question":"\#(theirs)"}}"#)
                #expect(made.status == 201)
                let less = try await token(instance, app.service, subject, actions: #"["question.read"]"#)
                #expect(try await less.post("/v1/stream-tickets", "{}").slug == "token-not-allowed")
            }
            // The token of somebody who is somebody else by now is nobody's.
            let gone = try await token(instance, app.service, #""person":"p-1""#)
            let ticket = try await gone.post("/v1/stream-tickets", "{}").json["ticket"].string ?? ""
            _ = try await app.service.delete("/v1/persons/p-1")
            _ = try await app.service.put("/v1/persons/p-1", "{}")
            #expect(try await gone.post("/v1/stream-tickets", "{}").slug == "person-not-found")
            let late = try StreamClient(HTTPClient(port: instance.port, key: nil), "/v1/events?ticket=\(ticket)")
            #expect(await late.wait { !$0.head.isEmpty }.head.contains("401"))
        }
    }

    @Test func endsWithItsTokenAndWithItsKey() async throws {
        try await with { instance, app in
            let brief = try await token(instance, app.service, #""guardian":"g-1""#, seconds: 10)
            let began = ContinuousClock.now
            let unused = try await brief.post("/v1/stream-tickets", "{}").json["ticket"].string ?? ""
            let stream = try await open(brief)
            let lasting = try await open(try await token(instance, app.service, #""guardian":"g-1""#))
            #expect(await stream.wait { !$0.head.isEmpty }.head.contains("200"))
            #expect(await stream.wait { $0.isOver }.isComplete)
            let lived = ContinuousClock.now - began
            #expect(lived < .seconds(20))
            let late = try StreamClient(HTTPClient(port: instance.port, key: nil), "/v1/events?ticket=\(unused)")
            #expect(await late.wait { !$0.head.isEmpty }.head.contains("401"))
            #expect(!lasting.seen.isOver)

            let issued = try await app.admin.post("/v1/apps/\(app.id)/keys", #"{"role":"service","label":"s"}"#)
            let maker = HTTPClient(port: app.service.port, key: issued.json["key"].string)
            let made = try await open(try await token(instance, maker, #""person":"p-2""#))
            #expect(await made.wait { !$0.head.isEmpty }.head.contains("200 OK"))
            let revoked = ContinuousClock.now
            _ = try await app.admin.delete("/v1/apps/\(app.id)/keys/\(issued.json.id.string ?? "")")
            #expect(await made.wait { $0.isOver }.isComplete && ContinuousClock.now - revoked < .seconds(5))
        }
    }

    @Test func countsTheStreamsOfOneSubjectTogether() async throws {
        try await with {
            $0.streamsPerSubject = 2
        } _: { instance, app in
            let first = try await open(try await token(instance, app.service, #""person":"p-1""#))
            let direct = try StreamClient(
                try await token(instance, app.service, #""person":"p-1""#), "/v1/events")
            for stream in [first, direct] { #expect(await stream.wait { !$0.head.isEmpty }.head.contains("200 OK")) }
            let third = try await open(try await token(instance, app.service, #""person":"p-1""#))
            #expect(await third.wait { !$0.head.isEmpty }.head.contains("429"))
            let other = try await open(try await token(instance, app.service, #""person":"p-2""#))
            #expect(await other.wait { !$0.head.isEmpty }.head.contains("200 OK"))
        }
    }
}
