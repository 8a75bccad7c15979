import Consent
import Foundation
import Synchronization
import Testing

@testable import API

/// Streams of events: what they bring, where they begin, and how they end.
@Suite(.timeLimit(.minutes(3))) struct EventStreamTests {
    private func with(
        listens: Bool = true, _ change: (inout EventFeed.Settings) -> Void = { _ in },
        _ body: (Instance, TestApp) async throws -> Void
    ) async throws {
        let app = try await TestService.get().newApp()
        try await Instance.use(listens: listens, change) { try await body($0, app) }
    }

    private func log(_ client: HTTPClient) async throws -> [String] {
        var ids: [String] = []
        while true {
            let page = try await client.get("/v1/events?limit=100" + (ids.last.map { "&after=\($0)" } ?? ""))
            let more = page.json["data"].array.compactMap { $0.id.string }
            if more.isEmpty { return ids }
            ids += more
        }
    }

    /// A cursor of now.
    private func now(_ client: HTTPClient) async throws -> String { try await log(client).last ?? "" }

    @Test(arguments: [true, false]) func bringsWhatOtherInstancesWrite(listens: Bool) async throws {
        try await with(listens: listens) { instance, app in
            let begin = try await now(app.service)
            let stream = try StreamClient(instance.client(app), "/v1/events?after=\(begin)")
            await stream.wait { !$0.head.isEmpty }
            for number in 0..<12 {
                // Through the other server, which tells nobody: it has no line. Then through this one.
                let client = number % 2 == 0 ? app.service : instance.client(app)
                #expect(try await client.put("/v1/persons/p-\(number)", "{}").status == 201)
            }
            let seen = await stream.wait { $0.events.count >= 12 }
            let all = try await log(app.service)
            #expect(seen.events.map(\.id) == Array(all.suffix(12)))
            #expect(seen.events.allSatisfy { $0.type == "person.updated" })
            let data = JSON(Array((seen.events.first?.data ?? "").utf8))
            #expect(data.id.string == seen.events.first?.id && data["person"].string == "p-0")
            let head = seen.head.lowercased()
            #expect(head.contains("200 ok") && head.contains("content-type: text/event-stream"))
            #expect(head.contains("cache-control: no-store") && head.contains("x-accel-buffering: no"))
        }
    }

    @Test func beginsNowOrAfterTheLastID() async throws {
        try await with { instance, app in
            let client = instance.client(app)
            for number in 0..<250 { _ = try await client.put("/v1/persons/q-\(number)", "{}") }
            let all = try await log(client)
            let fresh = try StreamClient(client, "/v1/events")
            await fresh.wait { !$0.head.isEmpty }
            let late = try StreamClient(client, "/v1/events?after=\(all[200])", lastID: all[10])
            let caught = await late.wait { $0.events.count >= all.count - 11 }
            #expect(caught.events.map(\.id) == Array(all[11...]))
            // A stream that begins now may begin a moment after its head was sent, so tell it until it hears.
            var told = 0
            while fresh.seen.events.isEmpty {
                _ = try await client.put("/v1/persons/later-\(told)", "{}")
                told += 1
                try await Task.sleep(for: .milliseconds(20))
            }
            let first = fresh.seen.events.first?.id ?? ""
            #expect(!all.contains(first))
            let seen = await late.wait { $0.events.contains { $0.id == first } }
            #expect(Set(seen.events.map(\.id)).count == seen.events.count)
        }
    }

    @Test func bringsWhatTheFilterTakes() async throws {
        try await with { instance, app in
            let client = instance.client(app)
            for person in ["p", "q"] { _ = try await client.put("/v1/persons/\(person)", "{}") }
            let begin = try await now(client)
            var questions: [String] = []
            for person in ["p", "q"] {
                let asked = try await client.post(
                    "/v1/questions",
                    #"{"person":"\#(person)","topic":{"kind":"purchase","product":"x"},"description":"d"}"#)
                questions.append(try #require(asked.json.id.string))
            }
            let paths = [
                "person=p", "question=\(questions[1])", "type=question.cancelled,question.approved", "type=question.*",
            ]
            let streams = try paths.map { try StreamClient(client, "/v1/events?after=\(begin)&\($0)") }
            // Whoever is still catching up when the person goes finds nobody any more.
            await streams[0].wait { !$0.events.isEmpty }
            for question in questions { _ = try await client.post("/v1/questions/\(question)/cancellation", "{}") }
            _ = try await client.delete("/v1/persons/p")
            let counts = [3, 2, 2, 4]
            for (index, stream) in streams.enumerated() {
                let page = try await client.get("/v1/events?after=\(begin)&\(paths[index])")
                let seen = await stream.wait { $0.events.count >= counts[index] }
                let types = seen.events.map(\.type)
                switch index {
                case 0:
                    #expect(types == ["question.created", "question.cancelled", "person.erased"])
                    #expect(page.slug == "person-not-found")
                case 1: #expect(types == ["question.created", "question.cancelled"])
                case 2: #expect(types == ["question.cancelled", "question.cancelled"])
                default: #expect(types.count == 4 && types.allSatisfy { $0.hasPrefix("question.") })
                }
                if index > 0 { #expect(page.json["data"].array.compactMap { $0.id.string } == seen.events.map(\.id)) }
            }
            for (query, slug) in [
                ("person=nobody", "person-not-found"), ("type=nothing", "invalid-parameter"),
                ("limit=3", "invalid-parameter"),
                ("question=\(questions[0])&person=q", "invalid-parameter"), ("type=question", "invalid-parameter"),
            ] {
                let refused = try await client.get("/v1/events?\(query)", [("Accept", "text/event-stream")])
                #expect(refused.slug == slug, "\(query)")
            }
        }
    }

    @Test func resetsForeignCursors() async throws {
        try await with { instance, app in
            let client = instance.client(app)
            _ = try await client.put("/v1/persons/p", "{}")
            let end = try await now(client)
            for cursor in ["elsewhere_7", "nonsense", String(end.prefix { $0 != "_" }) + "_999999"] {
                let stream = try StreamClient(client, "/v1/events", lastID: cursor)
                let seen = await stream.wait { !$0.events.isEmpty }
                #expect(seen.events.first?.type == "reset" && seen.events.first?.id == end, "\(cursor)")
            }
            // A log that is renewed under a stream.
            let stream = try StreamClient(client, "/v1/events", lastID: end)
            _ = try await client.put("/v1/persons/p2", "{}")
            await stream.wait { $0.events.count == 1 }
            try TestDatabase.execute("update app set feed_id = 'renewed0' where id = '\(app.id)'")
            let seen = await stream.wait { $0.events.count >= 2 }
            #expect(seen.events.last?.type == "reset" && seen.events.last?.id.hasPrefix("renewed0_") == true)
            _ = try await client.put("/v1/persons/p3", "{}")
            let after = await stream.wait { $0.events.count >= 3 }
            #expect(after.events.last?.type == "person.updated")
        }
    }

    @Test func countsStreamsPerKey() async throws {
        try await with {
            $0.streamsPerKey = 2
        } _: { instance, app in
            let client = instance.client(app)
            let first = try StreamClient(client, "/v1/events")
            let second = try StreamClient(client, "/v1/events")
            await first.wait { !$0.head.isEmpty }
            await second.wait { !$0.head.isEmpty }
            let refused = try await client.get("/v1/events", [("Accept", "text/event-stream")])
            #expect(
                refused.status == 429 && refused.slug == "too-many-streams" && refused.headers["retry-after"] != nil)
            first.leave()
            // Its place is free once a write finds out that it has gone.
            while true {
                _ = try await client.put("/v1/persons/p", "{}")
                _ = try await client.delete("/v1/persons/p")
                let again = try StreamClient(client, "/v1/events")
                let seen = await again.wait { !$0.head.isEmpty }
                if seen.head.contains("200 OK") { break }
                try await Task.sleep(for: .milliseconds(20))
            }
            second.leave()
        }
    }

    @Test func endsWithItsKeyAndWithTheServer() async throws {
        try await with { instance, app in
            let issued = try await app.admin.post("/v1/apps/\(app.id)/keys", #"{"role":"viewer","label":"v"}"#)
            let viewer = HTTPClient(port: instance.port, key: issued.json["key"].string)
            let stream = try StreamClient(viewer, "/v1/events")
            let other = try StreamClient(instance.client(app), "/v1/events")
            await stream.wait { !$0.head.isEmpty }
            await other.wait { !$0.head.isEmpty }
            let began = ContinuousClock.now
            let id = try #require(issued.json.id.string)
            #expect(try await app.admin.delete("/v1/apps/\(app.id)/keys/\(id)").status == 204)
            let seen = await stream.wait { $0.isOver }
            #expect(seen.isComplete && ContinuousClock.now - began < .seconds(5))
            #expect(!other.seen.isOver)
            await instance.stop()
            #expect(await other.wait { $0.isOver }.isComplete)
        }
    }

    @Test func showsThatItLives() async throws {
        try await with {
            $0.heartbeat = .seconds(1)
        } _: { instance, app in
            let stream = try StreamClient(instance.client(app), "/v1/events")
            #expect(await stream.wait { $0.comments >= 2 }.events.isEmpty)
            stream.leave()
            // Nothing happens in the log: it is a heartbeat that finds out that the reader has gone.
            while instance.application.feed.statistics.streams > 0 { try await Task.sleep(for: .milliseconds(20)) }
        }
    }

    @Test func headTellsOfAStreamAndOpensNone() async throws {
        try await with {
            $0.streamsPerKey = 0
        } _: { instance, app in
            let head = try await instance.client(app).send(
                "HEAD", "/v1/events", [("Accept", "text/event-stream")])
            #expect(head.status == 200 && head.headers["content-type"] == "text/event-stream" && head.text.isEmpty)
            // A length would be told of what a GET sends (RFC 9110 §8.6), which has none.
            #expect(head.headers["content-length"] == nil && head.headers["transfer-encoding"] == nil)
            #expect(instance.application.feed.statistics.streams == 0)
        }
    }

    @Test func neverBringsAnotherApps() async throws {
        try await with { instance, app in
            let other = try await TestService.get().newApp()
            let stream = try StreamClient(instance.client(app), "/v1/events?after=\(try await now(app.service))")
            for number in 0..<10 {
                _ = try await instance.client(other).put("/v1/persons/o-\(number)", "{}")
                _ = try await instance.client(app).put("/v1/persons/m-\(number)", "{}")
            }
            let seen = await stream.wait { $0.events.count >= 10 }
            #expect(seen.events.count == 10 && seen.events.allSatisfy { $0.data.contains(#""app":"\#(app.id)""#) })
            // A cursor of the other app is of another feed.
            let foreign = try StreamClient(instance.client(app), "/v1/events", lastID: try await now(other.service))
            #expect(await foreign.wait { !$0.events.isEmpty }.events.first?.type == "reset")
        }
    }
}
