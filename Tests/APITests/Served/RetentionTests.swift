import Consent
import Postgres
import Store
import Testing

/// What callers see of what is not kept any more.
struct RetentionTests {
    private func prune(_ app: TestApp, _ pruning: Pruning) async throws -> Int {
        let submission = Submission(app: AppID(trusted: app.id), command: .prune(pruning))
        guard case .done(.pruned(let rows)) = try await TestService.get().store.submit(submission) else { return -1 }
        return rows
    }

    @Test func aCursorFromBeforeTheKeptLogIsRefused() async throws {
        let app = try await TestService.get().newApp()
        let client = app.service
        for number in 0..<5 { _ = try await client.put("/v1/persons/p-\(number)", "{}") }
        let all = try await client.get("/v1/events").json
        let ids = all.data.array.compactMap(\.id.string)
        #expect(ids.count == 8)
        let start = try #require(ids.first.map { $0.prefix { $0 != "_" } }) + "_0"
        #expect(try await client.get("/v1/events?after=\(start)").json.data.array.count == 8)

        #expect(try await prune(app, .events(olderThanSeconds: 0, limit: 4)) == 4)
        for cursor in [String(start), ids[0], ids[2]] {
            for path in ["/v1/events", "/v1/persons/p-4/history"] {
                let reply = try await client.get("\(path)?after=\(cursor)")
                #expect(reply.status == 400 && reply.json.parameter == "after")
                #expect(reply.json.detail.string?.contains("not kept any more") == true)
            }
        }
        // Who has seen all that is gone misses nothing; who names no place begins with the oldest that is kept.
        #expect(try await client.get("/v1/events?after=\(ids[3])").json.data.array.map(\.seq) == [5, 6, 7, 8])
        let kept = try await client.get("/v1/events?limit=2").json
        #expect(kept.data.array.map(\.seq) == [5, 6])
        let next = try #require(kept.nextCursor.string)
        #expect(try await client.get("/v1/events?after=\(next)").json.data.array.map(\.seq) == [7, 8])
        #expect(try await client.get("/v1/persons/p-0/history").json.data == [])
        #expect(try await client.get("/v1/persons/p-4/history").json.data.array.map(\.seq) == [8])
        let export = try await client.get("/v1/persons/p-0/export")
        #expect(export.status == 200 && export.json.events == [] && export.json.person.id == "p-0")

        #expect(try await prune(app, .events(olderThanSeconds: 0, limit: 500)) == 4)
        let empty = try await client.get("/v1/events?after=\(ids[7])").json
        #expect(empty.data == [] && empty.nextCursor.string == ids[7])
        #expect(try await client.get("/v1/events?after=\(ids[6])").status == 400)
        _ = try await client.put("/v1/persons/p-9", "{}")
        #expect(try await client.get("/v1/events").json.data.array.map(\.seq) == [9])
    }

    @Test func aQuestionThatIsGoneIsNotFound() async throws {
        let app = try await TestService.get().newApp()
        let client = app.service
        let body = #"{"person":"p","topic":{"kind":"purchase","product":"gem"},"description":"May I?"}"#
        let keyed = [("Idempotency-Key", "once"), ("Content-Type", "application/json")]
        let asked = try await client.send("POST", "/v1/questions", keyed, body)
        let id = try #require(asked.json.id.string)
        let many = #"{"guardian":"g","answers":[{"question":"\#(id)","answer":"approval","revision":1}]}"#
        let manyKeyed = [("Idempotency-Key", "many"), ("Content-Type", "application/json")]
        #expect(try await client.send("POST", "/v1/persons/p/answers", manyKeyed, many).status == 200)
        try await expire(id)
        #expect(try await prune(app, .events(olderThanSeconds: 0, limit: 500)) > 0)
        let question = try #require(Identifier(id))
        #expect(try await prune(app, .questions([question], olderThanSeconds: 0)) == 1)

        for path in ["", "/answers", "/events"] {
            #expect(try await client.get("/v1/questions/\(id)" + path).slug == "question-not-found")
        }
        let denial = try await client.post("/v1/questions/\(id)/answers", #"{"guardian":"g","answer":"denial"}"#)
        #expect(denial.slug == "question-not-found")
        #expect(try await client.get("/v1/questions?person=p").json.data == [])
        // A repeat names what is gone, and asks nothing anew.
        let replayed = try await client.send("POST", "/v1/questions", keyed, body)
        #expect(replayed.slug == "question-not-found")
        let items = try await client.send("POST", "/v1/persons/p/answers", manyKeyed, many)
        #expect(items.status == 200 && items.json.data[0].status == 200 && items.json.data[0].question == .string(id))
        #expect(try await client.post("/v1/questions", body).status == 201)
    }

    private func expire(_ id: String) async throws {
        let connection = try Connection(try TestDatabase.settings())
        defer { connection.close() }
        try connection.execute("update question set expiration = clock_timestamp() where id = '\(id)'")
    }
}
