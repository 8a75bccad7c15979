import Testing

/// What stands about changes: from when on, until when, in which words.
struct ChangeTests {
    static let body =
        #"{"introducedIn":{"version":"2.0"},"descriptions":{"en":"Adds video calling and location sharing."}}"#

    @Test func withdrawing() async throws {
        let client = try await TestService.get().newApp().service
        let path = "/v1/changes/video-calls"
        #expect(try await client.post(path + "/withdrawal", "{}").slug == "change-not-found")
        let body = Self.body.dropLast() + #","effectiveFrom":"2026-11-01T00:00:00Z"}"#
        let made = try await client.put(path, String(body))
        #expect(made.status == 201, "\(made.text)")
        #expect(made.json.effectiveFrom == "2026-11-01T00:00:00.000Z" && made.json.withdrawnAt == .null)
        let question = #"{"person":"p","topic":{"kind":"significantAppUpdate","change":"video-calls"}}"#
        let asked = try await client.post("/v1/questions", question)
        let id = try #require(asked.json.id.string)

        let key = [("Idempotency-Key", "w")]
        let withdrawn = try await client.post(path + "/withdrawal", #"{"reason":"mistaken"}"#, key)
        #expect(withdrawn.status == 200, "\(withdrawn.text)")
        #expect(withdrawn.json.withdrawnAt.string != nil && withdrawn.json.withdrawalReason == "mistaken")
        #expect(withdrawn.json.revision == 2 && withdrawn.json.effectiveFrom == made.json.effectiveFrom)
        let replay = try await client.post(path + "/withdrawal", #"{"reason":"mistaken"}"#, key)
        #expect(replay.headers["idempotency-replayed"] == "true" && replay.json.revision == 2)
        #expect(try await client.send("POST", path + "/withdrawal").json == withdrawn.json)
        #expect(try await client.get(path).json.withdrawnAt == withdrawn.json.withdrawnAt)

        for reply in [
            try await client.put(path, Self.body), try await client.post("/v1/questions", question),
            try await client.post("/v1/questions/\(id)/answers", #"{"guardian":"g","answer":"approval"}"#),
        ] {
            #expect(reply.status == 409 && reply.slug == "change-withdrawn", "\(reply.text)")
            #expect(reply.json.current.id == "video-calls" && reply.json.current.revision == 2)
        }
        let events = try await client.get("/v1/events")
        #expect(events.json.data.array.map(\.type).last == "change.withdrawn")
        #expect(events.json.data.array.last?.data.withdrawalReason == "mistaken")
    }
}
