import Testing

/// A person is erased over HTTP.
struct ErasureTests {
    @Test func whatIsShownOfAnErasedPerson() async throws {
        let app = try await TestService.get().newApp()
        let client = app.service
        _ = try await client.put("/v1/persons/p", "{}")
        _ = try await client.put("/v1/persons/p/guardians/g", "{}")
        var ids: [String] = []
        for topic in [
            #"{"kind":"communication","handles":["h-1","h-2"]}"#, #"{"kind":"purchase","product":"gem"}"#,
            #"{"kind":"custom","subject":"screen-time"}"#,
        ] {
            let asked = try await client.post(
                "/v1/questions", #"{"person":"p","topic":\#(topic),"description":"May I?"}"#)
            ids.append(try #require(asked.json.id.string))
        }
        _ = try await client.post(
            "/v1/questions/\(ids[0])/answers", #"{"guardian":"g","answer":"approval","reason":"fine"}"#)
        let person = try await client.get("/v1/persons/p")
        #expect(try await app.viewer.delete("/v1/persons/p").status == 403)
        #expect(try await client.delete("/v1/persons/nobody").slug == "person-not-found")

        let gone = try await client.send("DELETE", "/v1/persons/p", [("Idempotency-Key", "e")])
        #expect(gone.status == 204 && gone.body.isEmpty)
        let replayed = try await client.send("DELETE", "/v1/persons/p", [("Idempotency-Key", "e")])
        #expect(replayed.status == 204 && replayed.headers["idempotency-replayed"] == "true")
        #expect(try await client.delete("/v1/persons/p").slug == "person-not-found")
        for path in ["", "/guardians", "/acknowledgments", "/history"] {
            #expect(try await client.get("/v1/persons/p" + path).slug == "person-not-found")
        }

        let topics: [JSON] = try await ids.asyncMap { id in
            let read = try await client.get("/v1/questions/\(id)").json
            #expect(read.person == .null && read.personRef == person.json.personRef)
            #expect(read["description"] == "erased" && read.resolution.reason == .null)
            return read.topic
        }
        #expect(topics.map(\.kind) == ["communication", "purchase", "custom"])
        #expect(topics[0].handles == ["erased"] && topics[1].product == "erased" && topics[2].subject == "erased")
        let answer = try await client.get("/v1/questions/\(ids[0])/answers").json.data[0]
        #expect(answer.reason == .null && answer.guardian.string?.hasPrefix("erased-") == true)

        let events = try await client.get("/v1/events").json.data.array
        let last = try #require(events.last)
        #expect(last.type == "person.erased" && last.data.members == ["personRef"])
        #expect(last.data.personRef == person.json.personRef && last.person == .null)
        #expect(events.filter { $0.personRef == person.json.personRef }.allSatisfy { $0.person == .null })
        let linked = events.first { $0.type == "guardian.linked" }?.data
        #expect(linked?.person == .null && linked?.guardian == answer.guardian)

        let again = try await client.put("/v1/persons/p", "{}")
        #expect(again.status == 201 && again.json.personRef != person.json.personRef)
        #expect(try await client.get("/v1/questions?person=p").json.data == [])
    }
}

extension [String] {
    fileprivate func asyncMap<Value>(_ body: (String) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
