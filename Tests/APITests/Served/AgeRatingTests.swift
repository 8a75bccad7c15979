import Testing

/// What devices report of an age rating, over HTTP.
struct AgeRatingTests {
    private static func body(_ code: String, _ more: String = "") -> String {
        #"{"ageRatingCode":\#(code),"storefront":"AUS","environment":"production"\#(more)}"#
    }

    @Test func aRatingMovesAndOpensAChange() async throws {
        let app = try await TestService.get().newApp(#"{"name":"T","policy":{"ageRatingOpensChange":true}}"#)
        let client = app.service
        let path = "/v1/age-ratings"
        for (code, outcome) in [("null", "unavailable"), ("0", "sentinel")] {
            let ignored = try await client.post(path, Self.body(code))
            #expect(ignored.status == 200 && ignored.json.outcome == .string(outcome), "\(ignored.text)")
            #expect(ignored.json.baseline == .null && ignored.json.members.count == 4)
        }
        let first = try await client.post(path, Self.body("4", #","observedAt":"2026-06-01T08:00:00+02:00""#))
        #expect(first.status == 201 && first.json.outcome == "baselineSet", "\(first.text)")
        #expect(first.json.baseline.observedAt == "2026-06-01T06:00:00.000Z" && first.json.change == .null)
        let late = try await client.post(path, Self.body("9", #","observedAt":"2026-05-01T08:00:00Z""#))
        #expect(late.status == 200 && late.json.outcome == "late" && late.json.baseline == first.json.baseline)
        #expect(try await client.post(path, Self.body("4")).json.outcome == "unchanged")

        let changed = try await client.post(path, Self.body("9"), [("Idempotency-Key", "moved")])
        #expect(changed.status == 201 && changed.json.outcome == "changed", "\(changed.text)")
        #expect(changed.json.previousCode == 4 && changed.json.change == "age-rating-aus-9-2")
        let replay = try await client.post(path, Self.body("9"), [("Idempotency-Key", "moved")])
        #expect(replay.status == 201 && replay.headers["idempotency-replayed"] == "true")
        #expect(replay.json == changed.json)

        let change = try await client.get("/v1/changes/age-rating-aus-9-2")
        #expect(change.json.kind == "ageRating" && change.json.introducedIn.version == .null, "\(change.text)")
        // What is shown of it can be put again with words of the operator's.
        let words = try await client.put(
            "/v1/changes/age-rating-aus-9-2",
            #"{"kind":"ageRating","introducedIn":{"version":null,"build":null},"descriptions":{"en":"Rated higher now."}}"#
        )
        #expect(words.status == 200 && words.json.revision == 2 && words.json.kind == "ageRating", "\(words.text)")

        let list = try await client.get(path)
        #expect(list.json.data.array == [changed.json.baseline] && list.json.nextCursor == .null)
        let history = try await app.viewer.get(path + "/AUS/production/history")
        #expect(history.json.data.array.map(\.ageRatingCode) == [4, 9])
        #expect(history.json.data.array.map(\.change) == [.null, "age-rating-aus-9-2"])
        let events = try await client.get("/v1/events")
        let told = events.json.data.array.filter {
            $0.type == "ageRating.baselineSet" || $0.type == "ageRating.changed"
        }
        #expect(told.map(\.data) == history.json.data.array)
    }

    @Test func listsAreReadPageByPage() async throws {
        let client = try await TestService.get().newApp().service
        for storefront in ["AUS", "BRA", "VNM"] {
            for environment in ["production", "sandbox"] {
                let body = #"{"ageRatingCode":4,"storefront":"\#(storefront)","environment":"\#(environment)"}"#
                #expect(try await client.post("/v1/age-ratings", body).status == 201)
            }
        }
        var seen: [JSON] = []
        var cursor: String? = nil
        repeat {
            let page = try await client.get("/v1/age-ratings?limit=1" + (cursor.map { "&cursor=\($0)" } ?? ""))
            seen += page.json.data.array
            cursor = page.json.nextCursor.string
        } while cursor != nil
        #expect(seen.map(\.storefront) == ["AUS", "AUS", "BRA", "BRA", "VNM", "VNM"])
        let filtered = try await client.get("/v1/age-ratings?storefront=BRA&environment=sandbox")
        #expect(filtered.json.data.array == [seen[3]])

        for code in 5...7 { _ = try await client.post("/v1/age-ratings", Self.body(String(code))) }
        let path = "/v1/age-ratings/AUS/production/history?limit=2"
        let first = try await client.get(path)
        #expect(first.json.data.array.map(\.ageRatingCode) == [4, 5])
        let next = try await client.get(path + "&cursor=\(try #require(first.json.nextCursor.string))")
        #expect(next.json.data.array.map(\.ageRatingCode) == [6, 7] && next.json.nextCursor == .null)
    }

    @Test func whatNamesNoRating() async throws {
        let app = try await TestService.get().newApp()
        for path in ["AUS/production", "aus/production", "AUS/beta", "AUS/Production"] {
            #expect(try await app.service.get("/v1/age-ratings/\(path)/history").slug == "age-rating-not-found")
        }
        for query in ["storefront=aus", "environment=beta", "cursor=x", "cursor=rausx", "cursor=rAUSp", "since=1"] {
            #expect(try await app.service.get("/v1/age-ratings?\(query)").slug == "invalid-parameter", "\(query)")
        }
        for cursor in ["n", "n00000000ffffffff", "i61"] {
            let reply = try await app.service.get("/v1/age-ratings/AUS/production/history?cursor=\(cursor)")
            #expect(reply.slug == "invalid-parameter", "\(cursor)")
        }
        #expect(try await app.viewer.post("/v1/age-ratings", Self.body("4")).slug == "forbidden")
    }
}
