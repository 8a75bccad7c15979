import Testing

/// What a person may do, over HTTP.
struct AccessDecisionTests {
    private static let minor = #"""
        {"ageRange":{"lowerBound":13,"upperBound":15,"declaration":"guardianDeclared"},
        "requiredRegulatoryFeatures":["significantAppChangeRequiresParentalConsent"]}
        """#
    private static let adult = #"""
        {"ageRange":{"lowerBound":18,"declaration":"confirmed"},
        "requiredRegulatoryFeatures":["significantAppChangeRequiresAdultNotification"]}
        """#
    private static let video =
        #"{"introducedIn":{"version":"2.0"},"features":["video"],"descriptions":{"en":"Video."}}"#

    private func newApp() async throws -> TestApp {
        let app = try await TestService.get().newApp()
        _ = try await app.service.put("/v1/changes/video", Self.video)
        _ = try await app.service.put("/v1/persons/child", Self.minor)
        _ = try await app.service.put("/v1/persons/adult", Self.adult)
        return app
    }

    @Test func fromAskingToAnAnswer() async throws {
        let app = try await newApp()
        let client = app.service
        let first = try await client.get("/v1/persons/child/access")
        #expect(first.status == 200 && first.json.phase == "askGuardian" && first.json.reason == .null)
        #expect(first.json.members == ["phase", "reason", "blocked", "changes", "validUntil"])
        #expect(first.json.blocked.app == false && first.json.blocked.features == ["video"])
        #expect(first.json.changes[0].change == "video" && first.json.changes[0].status == "required")
        #expect(first.json.changes[0].question == .null && first.json.validUntil == .null)

        let asked = try await client.post(
            "/v1/questions", #"{"person":"child","topic":{"kind":"significantAppUpdate","change":"video"}}"#)
        let id = try #require(asked.json.id.string)
        let waiting = try await client.get("/v1/persons/child/access")
        #expect(waiting.json.phase == "awaitingGuardian" && waiting.json.changes[0].question == .string(id))
        #expect(waiting.json.validUntil == asked.json.expirationDate)

        _ = try await client.post("/v1/questions/\(id)/answers", #"{"guardian":"g","answer":"denial"}"#)
        let denied = try await client.get("/v1/persons/child/access")
        #expect(denied.json.phase == "blocked" && denied.json.reason == "guardianDenied")
        _ = try await client.post("/v1/questions/\(id)/answers", #"{"guardian":"g","answer":"approval"}"#)
        let approved = try await client.get("/v1/persons/child/access")
        #expect(approved.json.phase == "clear" && approved.json.blocked.features == [])
        #expect(approved.json.changes[0].status == "approved")
    }

    @Test func aTagOfTheContent() async throws {
        let app = try await newApp()
        let path = "/v1/persons/child/access"
        let first = try await app.service.get(path)
        let tag = try #require(first.headers["etag"])
        let unchanged = try await app.service.get(path, [("If-None-Match", "\"other\", W/\(tag)")])
        #expect(unchanged.status == 304 && unchanged.body.isEmpty && unchanged.headers["etag"] == tag)
        #expect(try await app.viewer.get(path).headers["etag"] == tag)
        // What does not show in the decision does not change it.
        _ = try await app.service.put("/v1/persons/child/guardians/g", "{}")
        #expect(try await app.service.get(path, [("If-None-Match", tag)]).status == 304)
        let elsewhere = try await app.service.get(path + "?platform=tvOS", [("If-None-Match", tag)])
        #expect(elsewhere.status == 200 && elsewhere.headers["etag"] != tag)
        _ = try await app.service.put("/v1/changes/chat", Self.video)
        let second = try await app.service.get(path, [("If-None-Match", tag)])
        #expect(second.status == 200 && second.headers["etag"] != tag)
        #expect(try await app.service.get(path, [("If-None-Match", "bare")]).slug == "invalid-header")
    }

    @Test func whereTheNextStepCanBeTaken() async throws {
        let app = try await newApp()
        let rows: [(person: String, platform: String, remedy: JSON)] = [
            ("child", "iOS", "here"), ("child", "tvOS", "anotherDevice"), ("child", "web", "hostedPage"),
            ("adult", "iPadOS", "here"), ("adult", "macOS", "hostedPage"), ("adult", "watchOS", "anotherDevice"),
        ]
        for row in rows {
            let reply = try await app.viewer.get("/v1/persons/\(row.person)/access?platform=\(row.platform)")
            #expect(reply.json.remedy == row.remedy, "\(row)")
        }
        _ = try await app.service.put("/v1/persons/adult/acknowledgments/video", "{}")
        #expect(try await app.viewer.get("/v1/persons/adult/access?platform=macOS").json.remedy == .null)
        for query in ["platform=android", "platform=ios", "platform=", "platform=iOS&platform=iOS", "wait=1"] {
            let reply = try await app.viewer.get("/v1/persons/child/access?\(query)")
            #expect(reply.status == 400 && reply.slug == "invalid-parameter", "\(query)")
        }
    }

    @Test func whoIsNotKnown() async throws {
        let app = try await newApp()
        for person in ["nobody", String(repeating: "p", count: 129)] {
            #expect(try await app.service.get("/v1/persons/\(person)/access").slug == "person-not-found")
        }
        let many = try await app.viewer.post(
            "/v1/access-decisions", #"{"persons":["adult","nobody","child","adult"]}"#)
        #expect(many.status == 200 && many.json.members == ["data"])
        #expect(many.json.data.array.map(\.person) == ["adult", "nobody", "child", "adult"])
        #expect(many.json.data.array.map(\.phase) == ["acknowledge", "blocked", "askGuardian", "acknowledge"])
        let nobody = many.json.data[1]
        #expect(nobody.reason == "ageUnknown" && nobody.blocked.app == true && nobody.changes == [])
        #expect(try await app.service.get("/v1/persons/nobody").status == 404)
    }

    @Test func theSameAloneAndAmongMany() async throws {
        let app = try await newApp()
        let alone = try await app.service.get("/v1/persons/child/access")
        let many = try await app.service.post("/v1/access-decisions", #"{"persons":["child"]}"#)
        #expect(many.text == #"{"data":[{"person":"child","# + alone.text.dropFirst() + "]}")
    }

    @Test func fiveHundredOfTheLongestIds() async throws {
        let app = try await newApp()
        let ids = (0..<500).map { number in
            "\"" + String(repeating: "p", count: 128 - "\(number)".count) + "\(number)\""
        }
        let reply = try await app.service.post(
            "/v1/access-decisions", "{\"persons\": [\(ids.joined(separator: ", "))]}")
        #expect(reply.status == 200 && reply.json.data.array.count == 500)
        let larger = String(repeating: " ", count: 131_073)
        #expect(try await app.service.post("/v1/access-decisions", larger).slug == "body-too-large")
    }

    @Test func whatIsNotTaken() async throws {
        let app = try await newApp()
        let path = "/v1/access-decisions"
        #expect(try await app.service.post(path, "{").slug == "malformed-body")
        #expect(try await app.service.post(path, #"{"persons":[]}"#).pointers == ["/persons"])
        #expect(try await app.service.post(path, #"{"persons":["a",""]}"#).pointers == ["/persons/1"])
        let one = #"{"persons":["child"]}"#
        #expect(try await app.service.post(path + "?platform=iOS", one).slug == "invalid-parameter")
        #expect(try await app.service.post(path, one, [("If-Match", "\"1\"")]).slug == "invalid-header")
        #expect(try await app.service.post(path, one, [("Idempotency-Key", "a b")]).slug == "invalid-header")
        #expect(try await app.service.send("POST", path, [("Content-Type", "text/plain")], one).status == 415)
        #expect(try await app.service.get(path).headers["allow"] == "POST, OPTIONS")
        // A key does no harm and keeps nothing: a read is always of now.
        let key = [("Idempotency-Key", "k")]
        #expect(try await app.service.post(path, one, key).json.data[0].phase == "askGuardian")
        _ = try await app.service.put("/v1/persons/child", "{}")
        #expect(try await app.service.post(path, one, key).json.data[0].reason == "featuresUnavailable")
    }
}
