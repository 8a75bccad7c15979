import Foundation
import Testing

@testable import API

/// Requests that wait for a difference.
@Suite(.timeLimit(.minutes(3))) struct LongPollTests {
    private func with(_ body: (Instance, TestApp) async throws -> Void) async throws {
        let app = try await TestService.get().newApp()
        try await Instance.use { try await body($0, app) }
    }

    private func ask(_ client: HTTPClient, _ person: String) async throws -> (
        id: String, tag: String
    ) {
        let asked = try await client.post(
            "/v1/questions",
            #"{"person":"\#(person)","topic":{"kind":"purchase","product":"x"},"description":"d"}"#)
        return (try #require(asked.json.id.string), try #require(asked.headers["etag"]))
    }

    private func wait(_ seconds: Int, _ tag: String? = nil) -> [(String, String)] {
        [("Prefer", "wait=\(seconds)")] + (tag.map { [("If-None-Match", $0)] } ?? [])
    }

    @Test func answersAtOnceOrWhenThereIsADifferenceOrInTheEnd() async throws {
        try await with { instance, app in
            let client = instance.client(app)
            _ = try await client.put("/v1/persons/p", "{}")
            let (id, tag) = try await ask(client, "p")
            let path = "/v1/questions/\(id)"
            let began = ContinuousClock.now
            let atOnce = try await client.get(path, wait(50, "\"0-pending\""))
            #expect(atOnce.status == 200 && atOnce.headers["preference-applied"] == "wait=50")
            #expect(atOnce.headers["vary"]?.contains("Prefer") == true)
            #expect(ContinuousClock.now - began < .seconds(20))
            #expect(try await client.get(path, wait(0, tag)).status == 304)
            let inTheEnd = try await client.get(path, wait(1, tag))
            #expect(inTheEnd.status == 304 && inTheEnd.headers["preference-applied"] == "wait=1")
            #expect(inTheEnd.headers["etag"] == tag)
            async let answered = client.get(path, wait(60, tag))
            async let capped = client.get(path, wait(7_200, tag))
            while instance.application.feed.statistics.waiting < 2 { try await Task.sleep(for: .milliseconds(5)) }
            // By the other instance, which has no line: the look at the logs finds it.
            _ = try await app.service.post(path + "/cancellation", "{}")
            let reply = try await answered
            #expect(reply.status == 200 && reply.json.state.string == "cancelled")
            #expect(try await capped.headers["preference-applied"] == "wait=60")
            #expect(instance.application.feed.statistics.waiting == 0)
        }
    }

    @Test func answersAtTheExpiration() async throws {
        try await with { instance, app in
            let client = instance.client(app)
            _ = try await client.put("/v1/persons/p", "{}")
            let (id, tag) = try await ask(client, "p")
            try TestDatabase.execute(
                "update question set expiration = clock_timestamp() + interval '1 second' where id = '\(id)'")
            let reply = try await client.get("/v1/questions/\(id)", wait(30, tag))
            #expect(reply.status == 200 && reply.json.state.string == "expired")
        }
    }

    @Test func waitsForAccessAndForEvents() async throws {
        try await with { instance, app in
            let client = instance.client(app)
            _ = try await client.put("/v1/persons/p", "{}")
            let path = "/v1/persons/p/access"
            let tag = try #require(try await client.get(path).headers["etag"])
            let cursor = try #require(try await client.get("/v1/events?limit=100").json["nextCursor"].string)
            let empty = try await client.get("/v1/events?after=\(cursor)", wait(1))
            #expect(
                empty.status == 200 && empty.json["data"].array.isEmpty && empty.json["nextCursor"].string == cursor)
            async let access = client.get(path, wait(60, tag))
            async let page = client.get("/v1/events?after=\(cursor)", wait(60))
            async let other = client.get("/v1/events?after=\(cursor)&type=question.created", wait(60))
            while instance.application.feed.statistics.waiting < 3 { try await Task.sleep(for: .milliseconds(5)) }
            _ = try await client.post("/v1/persons/p/rescission", #"{"scope":"person"}"#)
            let decided = try await access
            #expect(decided.status == 200 && decided.headers["etag"] != tag, "\(decided.text)")
            #expect(try await page.json["data"].array.count == 1)
            #expect(instance.application.feed.statistics.waiting == 1)
            _ = try await ask(client, "other")
            #expect(try await other.json["data"].array.first?["type"].string == "question.created")
        }
    }

    /// What is about nobody in particular concerns everybody who waits for access.
    @Test func aChangeIsNewsToEverybody() async throws {
        try await with { instance, app in
            let client = instance.client(app)
            var tags: [String] = []
            for number in 0..<40 {
                _ = try await client.put("/v1/persons/p-\(number)", "{}")
                tags.append(try #require(try await client.get("/v1/persons/p-\(number)/access").headers["etag"]))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, tag) in tags.enumerated() {
                    group.addTask {
                        let reply = try await client.get("/v1/persons/p-\(number)/access", wait(60, tag))
                        #expect(reply.status == 200)
                    }
                }
                while instance.application.feed.statistics.waiting < tags.count {
                    try await Task.sleep(for: .milliseconds(10))
                }
                // Nobody's access: they look at nothing and go on waiting.
                _ = try await app.admin.post("/v1/apps/\(app.id)/keys", #"{"role":"viewer","label":"v"}"#)
                let made = try await app.admin.put(
                    "/v1/changes/c?app=\(app.id)",
                    #"{"introducedIn":{"version":"2.0","build":null},"features":["video"],"descriptions":{"en":"Video."}}"#
                )
                #expect(made.status == 201)
                try await group.waitForAll()
            }
            #expect(instance.application.feed.doorway.waiting == 0)
        }
    }

    @Test func answersHundredsWithOneBurst() async throws {
        try await with { instance, app in
            let client = instance.client(app)
            let count = 300
            _ = try await client.put("/v1/persons/p", "{}")
            var asked: [(id: String, tag: String)] = []
            for number in 0..<count {
                let made = try await client.post(
                    "/v1/questions",
                    #"{"person":"p","topic":{"kind":"purchase","product":"x-\#(number)"},"description":"d"}"#)
                asked.append((try #require(made.json.id.string), try #require(made.headers["etag"])))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (id, tag) in asked {
                    group.addTask {
                        let reply = try await client.get("/v1/questions/\(id)", wait(60, tag))
                        #expect(reply.status == 200 && reply.json.state.string == "cancelled")
                    }
                }
                while instance.application.feed.statistics.waiting < count {
                    try await Task.sleep(for: .milliseconds(10))
                }
                let began = ContinuousClock.now
                for (id, _) in asked {
                    group.addTask { _ = try await client.post("/v1/questions/\(id)/cancellation", "{}") }
                }
                try await group.waitForAll()
                #expect(ContinuousClock.now - began < .seconds(20))
            }
            #expect(instance.application.feed.statistics.waiting == 0)
        }
    }

    @Test func endsWithTheServer() async throws {
        try await with { instance, app in
            let client = instance.client(app)
            _ = try await client.put("/v1/persons/p", "{}")
            let (id, tag) = try await ask(client, "p")
            async let waiting = client.get("/v1/questions/\(id)", wait(60, tag))
            while instance.application.feed.statistics.waiting < 1 { try await Task.sleep(for: .milliseconds(5)) }
            let began = ContinuousClock.now
            await instance.stop()
            #expect(try await waiting.status == 304)
            #expect(ContinuousClock.now - began < .seconds(10))
        }
    }
}
