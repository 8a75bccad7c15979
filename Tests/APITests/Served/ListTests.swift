import Consent
import Testing

/// Lists: filters, order, pages.
struct ListTests {
    private func walk(_ client: HTTPClient, _ path: String) async throws -> [[JSON]] {
        var pages: [[JSON]] = []
        var cursor: String?
        repeat {
            let reply = try await client.get(path + (cursor.map { "&cursor=\($0)" } ?? ""))
            guard reply.status == 200 else { throw TestFailure(reply.text) }
            pages.append(reply.json.data.array)
            cursor = reply.json.nextCursor.string
        } while cursor != nil
        return pages
    }

    @Test func questions() async throws {
        let client = try await TestService.get().newApp().service
        _ = try await client.put("/v1/persons/p-0/guardians/g", "{}")
        let start = Instant.inDays(200)
        func end(_ day: Int) -> String { start.adding(seconds: Int64(day) * 86_400).text }
        var ids: [String] = []
        for number in 0..<7 {
            // Later ones expire earlier, two at the same time.
            let day = 20 - number / 2
            let asked = try await client.post(
                "/v1/questions",
                #"{"person":"p-\#(number % 2)","topic":{"kind":"purchase","product":"x\#(number)"},"description":"d","expirationDate":"\#(end(day))"}"#
            )
            ids.append(try #require(asked.json.id.string))
        }
        _ = try await client.post("/v1/questions/\(ids[6])/cancellation", "{}")

        let pending = try await walk(client, "/v1/questions?state=pending&limit=2")
        #expect(pending.map(\.count) == [2, 2, 2])
        #expect(pending.flatMap { $0 }.map(\.id.string) == [ids[4], ids[5], ids[2], ids[3], ids[0], ids[1]])
        let all = try await walk(client, "/v1/questions?limit=3")
        #expect(all.map(\.count) == [3, 3, 1])
        #expect(all.flatMap { $0 }.map(\.id.string) == ids)

        func matching(_ query: String) async throws -> [String?] {
            try await client.get("/v1/questions?\(query)").json.data.array.map(\.id.string)
        }
        #expect(try await matching("state=cancelled") == [ids[6]])
        #expect(try await matching("person=p-1") == [ids[1], ids[3], ids[5]])
        #expect(try await matching("guardian=g") == [ids[0], ids[2], ids[4], ids[6]])
        #expect(try await matching("guardian=g&state=pending") == [ids[4], ids[2], ids[0]])
        #expect(try await matching("person=nobody") == [])
        #expect(try await matching("topic=purchase").count == 7)
        #expect(try await matching("topic=custom") == [])
        #expect(try await matching("change=x0") == [])
        #expect(try await matching("expiringBefore=\(end(19))&state=pending") == [ids[4], ids[5]])
        #expect(try await matching("createdAfter=2099-01-01T00:00:00Z") == [])
        #expect(try await matching("createdAfter=2020-01-01T00:00:00%2B02:00").count == 7)
        #expect(try await matching("limit=1000").count == 7)
        let counts = try await client.get("/v1/questions/counts?person=p-0").json
        #expect(counts.pending == 3 && counts.cancelled == 1)
    }

    @Test func aPageCursorIsBoundToItsOrder() async throws {
        let client = try await TestService.get().newApp().service
        for number in 0..<2 {
            _ = try await client.post(
                "/v1/questions",
                #"{"person":"p","topic":{"kind":"purchase","product":"x\#(number)"},"description":"d"}"#)
        }
        let pending = try await client.get("/v1/questions?state=pending&limit=1")
        let cursor = try #require(pending.json.nextCursor.string)
        #expect(try await client.get("/v1/questions?cursor=\(cursor)").json.parameter == "cursor")
        #expect(try await client.get("/v1/changes?cursor=\(cursor)").json.parameter == "cursor")
    }

    @Test func changesAndApps() async throws {
        let app = try await TestService.get().newApp()
        for id in ["b", "a%2F1", "%C3%A9", "c"] {
            _ = try await app.service.put(
                "/v1/changes/\(id)", #"{"introducedIn":{"version":"1"},"descriptions":{"en":"x"}}"#)
        }
        let pages = try await walk(app.service, "/v1/changes?limit=3")
        #expect(pages.map { $0.map(\.id) } == [["a/1", "b", "c"], ["\u{e9}"]])
        let apps = try await walk(app.admin, "/v1/apps?limit=1")
        #expect(apps.flatMap { $0 }.contains { $0.id == .string(app.id) })
        let ids = apps.flatMap { $0 }.compactMap(\.id.string)
        #expect(ids == ids.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    @Test func eventsByCursor() async throws {
        let client = try await TestService.get().newApp().service
        for number in 0..<5 { _ = try await client.put("/v1/persons/p-\(number)", "{}") }
        var seen: [JSON] = []
        var cursor = ""
        while true {
            let reply = try await client.get("/v1/events?limit=3" + (cursor.isEmpty ? "" : "&after=\(cursor)"))
            seen += reply.json.data.array
            cursor = try #require(reply.json.nextCursor.string)
            if reply.json.data.array.isEmpty { break }
        }
        #expect(seen.map(\.seq) == (1...8).map { .number(Double($0)) })
        #expect(seen.last?.data.id == "p-4" && seen.last?.data.personRef == seen.last?.personRef)
    }

    @Test func guardians() async throws {
        let client = try await TestService.get().newApp().service
        #expect(try await client.get("/v1/persons/p/guardians").slug == "person-not-found")
        for guardian in ["g-2", "g-1"] { _ = try await client.put("/v1/persons/p/guardians/\(guardian)", "{}") }
        #expect(try await client.get("/v1/persons/p/guardians").json.data.array.map(\.guardian) == ["g-1", "g-2"])
        #expect(try await client.delete("/v1/persons/p/guardians/g-1").status == 204)
        #expect(try await client.delete("/v1/persons/p/guardians/g-1").status == 204)
        #expect(try await client.get("/v1/persons/p/guardians").json.data.array.map(\.guardian) == ["g-2"])
        let events = try await client.get("/v1/events").json.data.array.filter { $0.type == "guardian.unlinked" }
        #expect(events.count == 1 && events[0].data.guardian == "g-1" && events[0].data.voidedApprovals == [])
    }
}
