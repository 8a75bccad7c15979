import Testing

@testable import API

/// What Google Play says: signals from devices, and the console's list of revocations.
struct PlayStoreTests {
    private func signals(_ members: String) -> String { #"{"installId":"i-1"\#(members)}"# }

    private func send(_ app: TestApp, _ file: String) async throws -> HTTPClient.Reply {
        try await app.service.send("POST", "/v1/play-store/revocations", [("Content-Type", "text/csv")], file)
    }

    @Test(arguments: [
        (#","ageSignalsStatus":"SHARED","ageRangeSource":"TIER_A","ageLower":13,"ageUpper":15"#, "selfDeclared"),
        (#","ageSignalsStatus":"SHARED","ageRangeSource":"TIER_B","ageLower":13,"ageUpper":15"#, "guardianDeclared"),
        (#","ageSignalsStatus":"SHARED","ageRangeSource":"TIER_C","ageLower":18"#, "confirmed"),
        (#","ageSignalsStatus":"SHARED","ageRangeSource":"TIER_D","ageLower":18"#, "confirmed"),
        (#","ageSignalsStatus":"SHARED","ageRangeSource":"TIER_Z","ageLower":18"#, "TIER_Z"),
        (#","userStatus":0,"ageLower":18"#, "confirmed"), (#","userStatus":"VERIFIED","ageLower":18"#, "confirmed"),
        (#","userStatus":1,"ageLower":13,"ageUpper":15"#, "guardianDeclared"),
        (#","userStatus":"DECLARED","ageLower":13,"ageUpper":15"#, "selfDeclared"),
    ])
    func bothFormsBecomeTheSameAgeRange(_ members: String, _ declaration: String) async throws {
        let client = try await TestService.get().newApp().service
        let reply = try await client.post("/v1/persons/p/play-signals", signals(members))
        #expect(reply.status == 201, "\(reply.text)")
        #expect(reply.json.person.ageRange.declaration == .string(declaration), "\(reply.text)")
        #expect(reply.json.account.store == "playStore" && reply.json.account.id == "i-1")
    }

    @Test func whatIsNotSharedIsDeclinedAndStatusesAreKeptRaw() async throws {
        let client = try await TestService.get().newApp().service
        let declined = try await client.post(
            "/v1/persons/p/play-signals", signals(#","ageSignalsStatus":"NOT_SHARED""#))
        #expect(declined.json.person.ageRange == "declined" && declined.json.account.ageSignalsStatus == "NOT_SHARED")
        let odd = try await client.post(
            "/v1/persons/p/play-signals",
            signals(#","ageSignalsStatus":"SOMETHING_NEW","significantChangeStatus":"MAYBE","ageLower":18"#))
        #expect(odd.status == 200 && odd.json.account.ageSignalsStatus == "SOMETHING_NEW")
        #expect(odd.json.account.significantChangeStatus == "MAYBE")
        #expect(odd.json.person.ageRange.declaration != "confirmed")
    }

    @Test func wrongSignalsAreAllNamed() async throws {
        let client = try await TestService.get().newApp().service
        for (body, pointers) in [
            ("{}", ["/installId", "/ageSignalsStatus"]),
            (signals(#","ageSignalsStatus":"SHARED","userStatus":1"#), ["/ageSignalsStatus"]),
            (signals(#","mostRecentApprovalDate":"2026-07-31T00:00:00Z""#), ["/userStatus"]),
            (signals(#","userStatus":1.5"#), ["/userStatus"]), (signals(#","userStatus":-1"#), ["/userStatus"]),
            (
                signals(#","ageSignalsStatus":"SHARED","ageLower":20,"ageUpper":10"#), ["/ageLower"]
            ),
            (
                signals(#","ageSignalsStatus":"","significantChangeApprovalDate":"yesterday""#),
                ["/ageSignalsStatus", "/significantChangeApprovalDate"]
            ), (signals(#","ageSignalsStatus":"SHARED","more":1"#), ["/more"]),
        ] as [(String, [String])] {
            let reply = try await client.post("/v1/persons/p/play-signals", body)
            #expect(reply.slug == "invalid-body" && reply.pointers == pointers, "\(body): \(reply.text)")
        }
    }

    @Test func aFileIsTakenOnceAndAttachesLater() async throws {
        let app = try await TestService.get().newApp()
        _ = try await app.service.post("/v1/persons/p/play-signals", signals(#","ageSignalsStatus":"NOT_SHARED""#))
        let file = "App,Install Id\nr,i-1\nr,i-2\nr,i-1\n"
        let first = try await send(app, file)
        #expect(first.status == 200, "\(first.text)")
        #expect(first.json.rows == 3 && first.json.unattributed == 1)
        #expect(try await app.service.get("/v1/persons/p").json.rescindedAt != .null)
        let events = try await app.service.get("/v1/persons/p/history").json.data.array
        let rescinded = events.filter { $0.type == "person.rescinded" }
        #expect(!rescinded.isEmpty && rescinded.allSatisfy { $0.data.source == "playStore" })
        let again = try await send(app, file)
        #expect(again.json == first.json)
        let seen = try await app.service.get("/v1/persons/p/history").json.data.array
        #expect(seen.count == events.count)
        // Back, and the same file again: still known.
        _ = try await app.service.post("/v1/persons/p/reinstatement", "{}")
        _ = try await send(app, file)
        #expect(try await app.service.get("/v1/persons/p").json.rescindedAt == .null)
        // Revoked once more after that: one more row.
        _ = try await send(app, file + "r,i-1\n")
        #expect(try await app.service.get("/v1/persons/p").json.rescindedAt != .null)
        let late = try await app.service.post(
            "/v1/persons/q/play-signals", #"{"installId":"i-2","ageSignalsStatus":"NOT_SHARED"}"#)
        #expect(late.json.person.rescindedAt != .null, "\(late.text)")
        let kept = try await app.admin.get("/v1/store-notifications?app=\(app.id)").json.data.array
        #expect(kept.count == 4 && kept.allSatisfy { $0.store == "playStore" && $0.type == .null })
        let shown = try await app.admin.get("/v1/store-notifications/\(kept[0].id.string ?? "")?app=\(app.id)")
        #expect(shown.json.payload.string?.hasPrefix("r,i-") == true)
    }

    @Test func badRowsAreAllNamedAndNothingIsTaken() async throws {
        let app = try await TestService.get().newApp()
        let reply = try await send(app, "Install ID,Date\ni-1,2026-07-31\n,\ni-2,soon\ni-3\n")
        #expect(reply.slug == "invalid-body" && reply.pointers == ["/3/installId", "/4/date", "/5"], "\(reply.text)")
        #expect(try await app.admin.get("/v1/store-notifications?app=\(app.id)").json.data == [])
        #expect(try await send(app, "id\n1\n").pointers == ["/1/installId"])
        let json = try await app.service.post("/v1/play-store/revocations", "{}")
        #expect(json.slug == "unsupported-media-type" && json.headers["accept"] == "text/csv")
        #expect(try await app.viewer.send("POST", "/v1/play-store/revocations", [], "").status == 403)
    }

    @Test func manyRowsAtOnce() async throws {
        let app = try await TestService.get().newApp()
        let rows = (0..<3_000).map { "install-\($0 % 2_000),2026-07-31" }
        let reply = try await send(app, "Install ID,Date\r\n" + rows.joined(separator: "\r\n"))
        #expect(reply.json.rows == 3_000 && reply.json.unattributed == 3_000, "\(reply.text)")
        let large = String(repeating: "x", count: 1_100_000)
        #expect(try await send(app, "Install ID\n" + large).slug == "body-too-large")
    }
}
