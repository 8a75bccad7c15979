import Consent
import Testing

/// DESIGN's bodies by example, from the first app to the last event.
struct TourTests {
    @Test func mainJob() async throws {
        let app = try await TestService.get().newApp()
        let client = app.service

        let change = try await client.put(
            "/v1/changes/video-calls",
            #"{"introducedIn":{"version":"2.0","build":"104"},"features":["video"],"descriptions":{"en":"Adds video calling and location sharing."}}"#
        )
        #expect(change.status == 201, "\(change.text)")
        #expect(change.headers["etag"] == "\"1-en\"")
        #expect(change.headers["location"] == "/v1/changes/video-calls")

        let person = try await client.put(
            "/v1/persons/p-1",
            #"{"ageRange":{"lowerBound":13,"upperBound":15,"declaration":"guardianDeclared"},"requiredRegulatoryFeatures":["significantAppChangeRequiresParentalConsent"],"original":{"value":"1.2","kind":"version","environment":"production"}}"#
        )
        #expect(person.status == 201, "\(person.text)")

        let link = try await client.put("/v1/persons/p-1/guardians/g-1", "{}")
        #expect(link.status == 201, "\(link.text)")
        #expect(link.json.members == ["person", "guardian", "createdAt"])
        #expect(try await client.put("/v1/persons/p-1/guardians/g-1", "{}").status == 200)

        let end = Instant.inDays(300).text
        let asked = try await client.post(
            "/v1/questions",
            #"{"person":"p-1","topic":{"kind":"significantAppUpdate","change":"video-calls"},"expirationDate":"\#(end)","quorum":1}"#
        )
        #expect(asked.status == 201, "\(asked.text)")
        let question = asked.json
        let id = try #require(question.id.string)
        #expect(asked.headers["location"] == "/v1/questions/\(id)")
        #expect(asked.headers["etag"] == "\"1-pending\"")
        #expect(question.app == .string(app.id) && question.person == "p-1")
        #expect(question.topic.kind == "significantAppUpdate" && question.topic.change == "video-calls")
        #expect(question["description"] == "Adds video calling and location sharing." && question.language == "en")
        #expect(question.revision == 1 && question.state == "pending" && question.quorum == 1)
        #expect(question.expirationDate == .string(end))
        #expect(question.resolution == .null && question.supersededBy == .null)
        #expect(question.allowedActions == ["approve", "deny", "cancel"])
        #expect(question.existing == .missing)

        let again = try await client.post(
            "/v1/questions", #"{"person":"p-1","topic":{"kind":"significantAppUpdate","change":"video-calls"}}"#)
        #expect(again.status == 200 && again.json.existing == true && again.json.id == .string(id))

        let list = try await client.get("/v1/questions?state=pending&limit=50")
        #expect(list.status == 200 && list.json.data.array.count == 1 && list.json.nextCursor == .null)
        #expect(list.json.data[0] == question)

        let answered = try await client.post(
            "/v1/questions/\(id)/answers", #"{"guardian":"g-1","answer":"approval","reason":"fine by me"}"#)
        #expect(answered.status == 200, "\(answered.text)")
        #expect(answered.json.state == "approved" && answered.headers["etag"] == "\"2-approved\"")
        let resolution = answered.json.resolution
        #expect(resolution.by == "guardian" && resolution.guardian == "g-1" && resolution.reason == "fine by me")
        #expect(answered.json.allowedActions == ["deny"])

        let answers = try await client.get("/v1/questions/\(id)/answers")
        #expect(answers.json.data.array.count == 1 && answers.json.data[0].answer == "approval")

        let events = try await client.get("/v1/events")
        #expect(events.status == 200)
        #expect(
            events.json.data.array.map(\.type) == [
                "app.updated", "key.created", "key.created", "change.registered", "person.updated",
                "guardian.linked", "question.created", "question.approved",
            ])
        #expect(events.json.data.array.map(\.seq) == [1, 2, 3, 4, 5, 6, 7, 8])
        let last = events.json.data[7]
        #expect(last.data == answered.json)
        #expect(last.answer.guardian == "g-1" && last.revision == 2 && last.person == "p-1")
        #expect(last.personRef == question.personRef && last.app == .string(app.id))
        #expect(events.json.nextCursor == last.id)
        let cursor = try #require(events.json.nextCursor.string)
        let none = try await client.get("/v1/events?after=\(cursor)")
        #expect(none.json.data == [] && none.json.nextCursor == .string(cursor))

        let own = try await client.get("/v1/questions/\(id)/events")
        #expect(own.json.data.array.map(\.type) == ["question.created", "question.approved"])
    }

    @Test func acknowledging() async throws {
        let app = try await TestService.get().newApp()
        let client = app.service
        _ = try await client.put(
            "/v1/changes/video-calls", #"{"introducedIn":{"build":"1"},"descriptions":{"en":"x"}}"#)
        _ = try await client.put(
            "/v1/persons/p-2",
            #"{"ageRange":{"lowerBound":18,"declaration":"confirmed"},"requiredRegulatoryFeatures":["significantAppChangeRequiresAdultNotification"]}"#
        )
        let path = "/v1/persons/p-2/acknowledgments/video-calls"
        #expect(try await client.get(path).slug == "acknowledgment-not-found")
        let made = try await client.put(path, "{}")
        #expect(made.status == 201 && made.headers["location"] == path, "\(made.text)")
        #expect(made.json.members == ["person", "change", "acknowledgedAt"])
        let again = try await client.put(path, "{}")
        #expect(again.status == 200 && again.json == made.json)
        let read = try await client.get(path)
        #expect(read.status == 200 && read.json == made.json)
        let list = try await client.get("/v1/persons/p-2/acknowledgments")
        #expect(list.json.data.array == [made.json] && list.json.nextCursor == .null)
    }

    @Test func otherTopicsAndCancelling() async throws {
        let client = try await TestService.get().newApp().service
        let topics = [
            #"{"kind":"communication","handles":["h-1","h-2"]}"#, #"{"kind":"purchase","product":"gem"}"#,
            #"{"kind":"custom","subject":"screen-time"}"#,
        ]
        for topic in topics {
            let asked = try await client.post(
                "/v1/questions", #"{"person":"new","topic":\#(topic),"description":"May I?","language":"en-GB"}"#)
            #expect(asked.status == 201, "\(asked.text)")
            #expect(asked.json.language == "en-GB" && asked.json["description"] == "May I?")
            let id = try #require(asked.json.id.string)
            let cancelled = try await client.post("/v1/questions/\(id)/cancellation", #"{"reason":"changed my mind"}"#)
            #expect(cancelled.status == 200, "\(cancelled.text)")
            #expect(cancelled.json.state == "cancelled" && cancelled.json.resolution.by == "child")
            #expect(cancelled.json.resolution.reason == "changed my mind")
            #expect(cancelled.json.allowedActions == [])
        }
        let counts = try await client.get("/v1/questions/counts")
        #expect(counts.json.cancelled == 3 && counts.json.pending == 0)
        #expect(counts.json.members.count == 6)
    }

    @Test func answeringMany() async throws {
        let client = try await TestService.get().newApp().service
        var ids: [String] = []
        for product in ["a", "b", "c"] {
            let asked = try await client.post(
                "/v1/questions",
                #"{"person":"p","topic":{"kind":"purchase","product":"\#(product)"},"description":"d"}"#)
            ids.append(try #require(asked.json.id.string))
        }
        let unknown = "01930000-0000-7001-8000-000000000002"
        let items = [(ids[0], 1), (ids[1], 7), (unknown, 1)].map {
            #"{"question":"\#($0.0)","answer":"denial","revision":\#($0.1)}"#
        }
        let body = #"{"guardian":"g","answers":[\#(items.joined(separator: ","))]}"#
        let reply = try await client.post("/v1/persons/p/answers", body, [("Idempotency-Key", "many")])
        #expect(reply.status == 200, "\(reply.text)")
        let data = reply.json.data
        #expect(data.array.map(\.status) == [200, 409, 404])
        #expect(data.array.map(\.question) == [.string(ids[0]), .string(ids[1]), .string(unknown)])
        #expect(data[0].problem == .missing)
        #expect(data[1].problem.type == "/problems/revision-changed")
        #expect(data[1].problem.current.id == .string(ids[1]))
        #expect(data[2].problem.type == "/problems/question-not-found")

        let replay = try await client.post("/v1/persons/p/answers", body, [("Idempotency-Key", "many")])
        #expect(replay.headers["idempotency-replayed"] == "true")
        #expect(replay.json.data.array.map(\.status) == [200, 409, 404])
        #expect(replay.json.data[1].problem.current.id == .string(ids[1]))
    }
}
