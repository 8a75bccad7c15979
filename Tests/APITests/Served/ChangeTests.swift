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

    @Test func descriptionsInTheReadersLanguage() async throws {
        let client = try await TestService.get().newApp().service
        let path = "/v1/changes/video-calls"
        let body =
            #"{"introducedIn":{"version":"2.0"},"descriptions":{"de":"Neu: Videoanrufe mit Freunden.","en":"Adds video calling with friends.","pt-BR":"Chamadas de v\u00eddeo com amigos."}}"#
        let made = try await client.put(path, body, [("Accept-Language", "pt")])
        #expect(made.json["description"] == "Chamadas de v\u{ed}deo com amigos.")
        #expect(made.headers["content-language"] == "pt-BR" && made.headers["etag"] == "\"1-pt-BR\"")
        for (wanted, language) in [
            ("de-AT, en;q=0.8", "de"), ("fr, en;q=0.5, de;q=0.7", "de"), ("fr", "en"), ("*", "en"), ("", "en"),
        ] {
            let read = try await client.get(path, [("Accept-Language", wanted)])
            #expect(read.headers["content-language"] == language, "\(wanted)")
            #expect(read.json["description"] == read.json.descriptions[language])
            #expect(read.headers["vary"]?.contains("Accept-Language") == true)
            let tag = try #require(read.headers["etag"])
            #expect(tag == "\"1-\(language)\"")
            let again = try await client.get(path, [("Accept-Language", wanted), ("If-None-Match", tag)])
            #expect(again.status == 304 && again.headers["vary"]?.contains("Accept-Language") == true)
            let other = try await client.get(path, [("Accept-Language", "pt-PT"), ("If-None-Match", tag)])
            #expect(other.status == 200 && other.headers["content-language"] == "pt-BR")
        }
        #expect(try await client.get(path).json["description"] == "Adds video calling with friends.")
        #expect(try await client.get("/v1/changes").json.data[0]["description"] == .missing)

        // The tag of any language is good for a replacement, which replaces all of them.
        for (tag, status) in [("\"2-de\"", 412), ("W/\"1-de\"", 412), ("\"1-de\"", 200), ("\"1\"", 200)] {
            let put = try await client.put(path, body, [("If-Match", tag)])
            #expect(put.status == status, "\(tag)")
        }

        let topic = #""topic":{"kind":"significantAppUpdate","change":"video-calls"}"#
        for (person, language, wanted, chosen) in [
            ("p-1", #","language":"pt-BR""#, "de", "pt-BR"), ("p-2", "", "de-CH", "de"), ("p-3", "", "fr", "en"),
            ("p-4", #","language":"fr""#, "de", "en"),
        ] {
            let asked = try await client.post(
                "/v1/questions", #"{"person":"\#(person)",\#(topic)\#(language)}"#, [("Accept-Language", wanted)])
            #expect(asked.status == 201 && asked.json.language == .string(chosen), "\(asked.text)")
        }
    }

    @Test func warningsAboutDescriptionsThatSayNothing() async throws {
        let client = try await TestService.get().newApp().service
        let path = "/v1/changes/video-calls"
        let body =
            #"{"introducedIn":{"version":"2.0"},"descriptions":{"de":"Verbesserungen","en":"Adds video calling with friends.","fr":"Video calls"}}"#
        let key = [("Idempotency-Key", "put")]
        let made = try await client.put(path, body, key)
        #expect(made.status == 201, "\(made.text)")
        #expect(made.json.warnings.array.map(\.pointer) == ["/descriptions/de", "/descriptions/fr"])
        #expect(made.json.warnings.array.allSatisfy { $0.detail.string?.hasPrefix("should say") == true })
        #expect(try await client.put(path, body).json.warnings == made.json.warnings)
        #expect(try await client.put(path, body, key).json.warnings == made.json.warnings)
        #expect(try await client.get(path).json.warnings == .missing)
        #expect(try await client.get("/v1/changes").json.data[0].warnings == .missing)
        #expect(try await client.post(path + "/withdrawal", "{}").json.warnings == .missing)
        #expect(try await client.put("/v1/changes/other", Self.body).json.warnings == [])
    }

    @Test func progress() async throws {
        let client = try await TestService.get().newApp().service
        let path = "/v1/changes/video-calls/progress"
        #expect(try await client.get(path).slug == "change-not-found")
        _ = try await client.put("/v1/changes/video-calls", Self.body)
        let topic = #"{"kind":"significantAppUpdate","change":"video-calls"}"#
        var ids: [String] = []
        for person in ["p-1", "p-2", "p-3"] {
            let asked = try await client.post("/v1/questions", #"{"person":"\#(person)","topic":\#(topic)}"#)
            ids.append(try #require(asked.json.id.string))
        }
        _ = try await client.post("/v1/questions/\(ids[0])/answers", #"{"guardian":"g","answer":"approval"}"#)
        _ = try await client.post("/v1/questions/\(ids[1])/cancellation", "{}")
        _ = try await client.put("/v1/persons/a", #"{"ageRange":{"lowerBound":18,"declaration":"confirmed"}}"#)
        _ = try await client.put("/v1/persons/a/acknowledgments/video-calls", "{}")
        let read = try await client.get(path)
        #expect(read.status == 200 && read.json.change == "video-calls" && read.json.persons == 4, "\(read.text)")
        let counts = read.json.counts
        #expect(counts.pending == 1 && counts.approved == 1 && counts.cancelled == 1 && counts.acknowledged == 1)
        #expect(counts.denied == 0 && counts.revoked == 0 && counts.expired == 0)
        // Asked anew, the person is counted by the new question alone.
        _ = try await client.post("/v1/questions", #"{"person":"p-2","topic":\#(topic)}"#)
        let later = try await client.get(path).json.counts
        #expect(later.pending == 2 && later.cancelled == 0 && later.approved == 1)
    }

    @Test func preview() async throws {
        let app = try await TestService.get().newApp()
        let client = app.service
        let consent = "significantAppChangeRequiresParentalConsent"
        let notification = "significantAppChangeRequiresAdultNotification"
        let child = #""ageRange":{"lowerBound":13,"upperBound":15,"declaration":"guardianDeclared"}"#
        let adult = #""ageRange":{"lowerBound":18,"declaration":"confirmed"}"#
        for (person, facts) in [
            ("child-1", #"\#(child),"requiredRegulatoryFeatures":["\#(consent)"]"#),
            ("child-2", #"\#(child),"requiredRegulatoryFeatures":["\#(consent)"],"region":"US-TX""#),
            (
                "child-3",
                #"\#(child),"requiredRegulatoryFeatures":["\#(consent)"],"original":{"value":"2.0","kind":"version","environment":"production"}"#
            ),
            ("child-4", #"\#(child),"requiredRegulatoryFeatures":[]"#),
            ("adult-1", #"\#(adult),"requiredRegulatoryFeatures":["\#(notification)"]"#),
            ("nobody-knows", #""ageRange":"declined","requiredRegulatoryFeatures":["\#(consent)"]"#),
        ] {
            #expect(try await client.put("/v1/persons/\(person)", "{\(facts)}").status == 201)
        }
        let before = try await client.get("/v1/events").json
        let preview = try await client.post("/v1/changes/preview", Self.body)
        #expect(preview.status == 200 && preview.json.persons == 6, "\(preview.text)")
        let counts = preview.json.counts
        #expect(counts.askGuardian == 2 && counts.acknowledge == 1 && counts.exempt == 1)
        #expect(counts.clear == 1 && counts.blocked == 1 && preview.json.warnings == [])
        let vague = #"{"introducedIn":{"version":"1.9"},"descriptions":{"en":"improvements"}}"#
        let other = try await app.viewer.post("/v1/changes/preview", vague)
        #expect(other.json.warnings.array.map(\.pointer) == ["/descriptions/en"])
        #expect(other.json.counts.exempt == 1 && other.json.counts.askGuardian == 2)
        #expect(try await client.post("/v1/changes/preview", "{}").pointers == ["/introducedIn", "/descriptions"])
        // It would be so: nothing was stored, and a change may have that very id.
        #expect(try await client.get("/v1/events").json == before)
        #expect(try await client.get("/v1/changes/preview").slug == "change-not-found")
        #expect(try await client.put("/v1/changes/preview", Self.body).status == 201)
        for (person, phase) in [("child-1", "askGuardian"), ("adult-1", "acknowledge"), ("child-3", "clear")] {
            #expect(try await client.get("/v1/persons/\(person)/access").json.phase == .string(phase))
        }
        // What is known of a person moves them from one group to another.
        _ = try await client.put("/v1/persons/child-1", #"{"requiredRegulatoryFeatures":[]}"#)
        let later = try await client.post("/v1/changes/preview", Self.body).json.counts
        #expect(later.askGuardian == 1 && later.clear == 2)
    }

    @Test func concernsNobodyBeforeItsMomentNorAfterItsWithdrawal() async throws {
        let client = try await TestService.get().newApp().service
        _ = try await client.put(
            "/v1/persons/p",
            #"{"ageRange":{"lowerBound":13,"upperBound":15},"requiredRegulatoryFeatures":["significantAppChangeRequiresParentalConsent"]}"#
        )
        func put(_ id: String, from moment: String) async throws {
            let body = Self.body.dropLast() + #","effectiveFrom":"\#(moment)"}"#
            #expect(try await client.put("/v1/changes/\(id)", String(body)).status == 201)
        }
        try await put("later", from: "2999-01-01T00:00:00Z")
        try await put("much-later", from: "3000-01-01T00:00:00Z")
        let before = try await client.get("/v1/persons/p/access").json
        #expect(before.phase == "clear" && before.changes == [] && before.validUntil == "2999-01-01T00:00:00.000Z")
        try await put("now", from: "2020-01-01T00:00:00Z")
        let during = try await client.get("/v1/persons/p/access").json
        #expect(during.phase == "askGuardian" && during.changes.array.map(\.change) == ["now"])
        _ = try await client.post("/v1/changes/now/withdrawal", "{}")
        _ = try await client.post("/v1/changes/later/withdrawal", "{}")
        let after = try await client.get("/v1/persons/p/access").json
        #expect(after.phase == "clear" && after.changes == [] && after.validUntil == "3000-01-01T00:00:00.000Z")
    }
}
