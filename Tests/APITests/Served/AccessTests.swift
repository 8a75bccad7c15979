import Testing

/// Who may do what: every route with every kind of key.
struct AccessTests {
    private enum Who: CaseIterable { case nobody, wrongSecret, viewer, otherApp, service, admin, adminNamingNoApp }

    private struct Row {
        let method: String
        let path: String
        let body: String?
        let isAdmins: Bool
    }

    private func rows(_ app: String) -> [Row] {
        let question = "01930000-0000-7001-8000-000000000002"
        let admins = [
            ("PUT", "/v1/apps/\(app)", #"{"name":"x"}"#), ("GET", "/v1/apps/\(app)", nil), ("GET", "/v1/apps", nil),
            ("POST", "/v1/apps/\(app)/keys", #"{"role":"viewer"}"#), ("GET", "/v1/apps/\(app)/keys", nil),
            ("DELETE", "/v1/apps/\(app)/keys/\(question)", nil),
        ]
        let apps = [
            ("PUT", "/v1/persons/p", "{}"), ("GET", "/v1/persons/p", nil),
            ("GET", "/v1/persons/p/access", nil), ("POST", "/v1/access-decisions", #"{"persons":["p"]}"#),
            ("PUT", "/v1/persons/p/guardians/g", "{}"),
            ("DELETE", "/v1/persons/p/guardians/g", nil), ("GET", "/v1/persons/p/guardians", nil),
            ("PUT", "/v1/persons/p/acknowledgments/c", "{}"), ("GET", "/v1/persons/p/acknowledgments/c", nil),
            ("GET", "/v1/persons/p/acknowledgments", nil), ("POST", "/v1/persons/p/answers", "{}"),
            ("PUT", "/v1/changes/c", "{}"), ("GET", "/v1/changes/c", nil), ("GET", "/v1/changes", nil),
            ("POST", "/v1/changes/c/withdrawal", "{}"), ("GET", "/v1/changes/c/progress", nil),
            ("POST", "/v1/changes/preview", "{}"),
            ("POST", "/v1/questions", "{}"), ("GET", "/v1/questions", nil), ("GET", "/v1/questions/counts", nil),
            ("GET", "/v1/questions/\(question)", nil), ("GET", "/v1/questions/\(question)/events", nil),
            ("POST", "/v1/questions/\(question)/answers", "{}"), ("GET", "/v1/questions/\(question)/answers", nil),
            ("POST", "/v1/questions/\(question)/cancellation", "{}"), ("GET", "/v1/events", nil),
        ]
        return admins.map { Row(method: $0.0, path: $0.1, body: $0.2, isAdmins: true) }
            + apps.map { Row(method: $0.0, path: $0.1, body: $0.2, isAdmins: false) }
    }

    @Test func matrix() async throws {
        let app = try await TestService.get().newApp()
        let other = try await TestService.get().newApp()
        for row in rows(app.id) {
            for who in Who.allCases {
                let (client, query) = caller(who, app, other)
                let reply = try await client.send(
                    row.method, row.path + (row.isAdmins ? "" : query),
                    row.body == nil ? [] : [("Content-Type", "application/json")], row.body)
                #expect(reply.status < 500, "\(row.method) \(row.path) by \(who): \(reply.text)")
                let refused = [401, 403].contains(reply.status) || reply.slug == "app-required"
                #expect(
                    refused != isAllowed(row, who), "\(row.method) \(row.path) by \(who): \(reply.status) \(reply.text)"
                )
                if refused { #expect(reply.slug == expected(row, who), "\(row.method) \(row.path) by \(who)") }
            }
        }
    }

    private func caller(_ who: Who, _ app: TestApp, _ other: TestApp) -> (HTTPClient, String) {
        switch who {
        case .nobody: (app.anybody, "")
        case .wrongSecret: (HTTPClient(port: app.service.port, key: app.service.key.map { $0.dropLast() + "~" }), "")
        case .viewer: (app.viewer, "")
        case .otherApp: (other.service, "?app=\(app.id)")
        case .service: (app.service, "?app=\(app.id)")
        case .admin: (app.admin, "?app=\(app.id)")
        case .adminNamingNoApp: (app.admin, "")
        }
    }

    private func isAllowed(_ row: Row, _ who: Who) -> Bool {
        switch who {
        case .nobody, .wrongSecret, .otherApp: false
        case .viewer:
            !row.isAdmins
                && (row.method == "GET" || ["/v1/access-decisions", "/v1/changes/preview"].contains(row.path))
        case .service: !row.isAdmins
        case .admin: true
        case .adminNamingNoApp: row.isAdmins
        }
    }

    private func expected(_ row: Row, _ who: Who) -> String {
        switch who {
        case .nobody, .wrongSecret: "unauthenticated"
        case .adminNamingNoApp: "app-required"
        case .viewer, .otherApp, .service, .admin: "forbidden"
        }
    }

    @Test(arguments: [
        "Basic dXNlcjpwYXNz", "Bearer", "Bearer ", "Bearer x", "Bearer asnt_reader_", "bearer_asnt", "", "Token x",
    ])
    func malformedCredentials(_ field: String) async throws {
        let app = try await TestService.get().newApp()
        let reply = try await app.anybody.get("/v1/questions", field.isEmpty ? [] : [("Authorization", field)])
        #expect(reply.status == 401 && reply.slug == "unauthenticated")
        #expect(reply.headers["www-authenticate"] != nil)
    }

    @Test func theSchemeIsReadInAnyCase() async throws {
        let app = try await TestService.get().newApp()
        let key = try #require(app.service.key)
        #expect(try await app.anybody.get("/v1/questions", [("Authorization", "bEARER  \(key)")]).status == 200)
        let twice = [("Authorization", "Bearer \(key)"), ("Authorization", "Bearer \(key)")]
        let reply = try await app.anybody.get("/v1/questions", twice)
        #expect(reply.status == 400 && reply.json.header == "Authorization")
    }

    @Test func aRevokedKeyIsRefusedAtOnceHere() async throws {
        let app = try await TestService.get().newApp()
        let made = try await app.admin.post("/v1/apps/\(app.id)/keys", #"{"role":"service","label":"short"}"#)
        let client = HTTPClient(port: app.service.port, key: made.json.key.string)
        #expect(try await client.get("/v1/questions").status == 200)
        let path = try #require(made.headers["location"])
        let gone = try await app.admin.delete(path)
        #expect(gone.status == 204 && gone.body.isEmpty)
        #expect(try await client.get("/v1/questions").status == 401)
        let keys = try await app.admin.get("/v1/apps/\(app.id)/keys")
        #expect(keys.json.data.array.map(\.label) == ["service", "viewer"])
        #expect(!keys.text.contains("asnt_"))
    }

    @Test func keysNeverSeeAnotherApp() async throws {
        let one = try await TestService.get().newApp()
        let other = try await TestService.get().newApp()
        let asked = try await one.service.post(
            "/v1/questions", #"{"person":"p","topic":{"kind":"purchase","product":"x"},"description":"d"}"#)
        let id = try #require(asked.json.id.string)
        #expect(try await other.service.get("/v1/questions/\(id)").slug == "question-not-found")
        #expect(try await other.service.get("/v1/questions/\(id)/events").slug == "question-not-found")
        #expect(
            try await other.service.post("/v1/questions/\(id)/answers", #"{"guardian":"g","answer":"approval"}"#)
                .slug == "question-not-found")
        #expect(try await other.service.get("/v1/questions").json.data == [])
        #expect(try await one.admin.get("/v1/questions/\(id)?app=\(one.id)").json.id == .string(id))
        #expect(try await one.admin.get("/v1/questions?app=no-such-app").slug == "app-not-found")
        #expect(try await one.admin.put("/v1/persons/p?app=no-such-app", "{}").slug == "app-not-found")
        #expect(try await one.admin.get("/v1/questions?app=UPPER").slug == "app-not-found")
    }

    @Test func anAdminCancelsAsAdmin() async throws {
        let app = try await TestService.get().newApp()
        let asked = try await app.service.post(
            "/v1/questions", #"{"person":"p","topic":{"kind":"purchase","product":"x"},"description":"d"}"#)
        let id = try #require(asked.json.id.string)
        let path = "/v1/questions/\(id)/cancellation?app=\(app.id)"
        #expect(try await app.admin.send("POST", path).json.resolution.by == "admin")
    }
}
