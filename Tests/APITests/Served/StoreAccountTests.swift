import AppStoreTestSupport
import Testing

@testable import API

/// The stores' ids of persons, on a real server.
struct StoreAccountTests {
    private func signed(_ token: String) -> String { #"{"signedAppTransactionInfo":"\#(token)"}"# }

    @Test func aSignedAppTransactionFillsWhatItSays() async throws {
        let service = try TestService.get()
        let client = try await service.newApp(TestAppStore.settings).service
        let token = try service.appStore.transaction("704289572311402534")
        let reply = try await client.post("/v1/persons/p/app-transactions", signed(token))
        #expect(reply.status == 201, "\(reply.text)")
        #expect(reply.json.account.id == "704289572311402534" && reply.json.account.store == "appStore")
        #expect(reply.json.account.environment == "production" && reply.json.account.platform == "iOS")
        #expect(reply.json.account.signedAt != .null)
        #expect(reply.json.person.original.value == "1.2" && reply.json.person.original.kind == "build")
        #expect(reply.json.person.original.environment == "production")
        #expect(try await client.get("/v1/persons/p").json == reply.json.person)
        let again = try await client.post("/v1/persons/p/app-transactions", signed(token))
        #expect(again.status == 200 && again.json == reply.json, "\(again.text)")
        let listed = try await client.get("/v1/persons/p/store-accounts")
        #expect(listed.json.data.array == [reply.json.account] && listed.json.nextCursor == .null)
        #expect(try await client.get("/v1/persons/nobody/store-accounts").slug == "person-not-found")
        let export = try await client.get("/v1/persons/p/export")
        #expect(export.json.storeAccounts.array == [reply.json.account] && export.json.storeNotifications == [])
    }

    @Test func aMacsVersionIsAMarketingVersion() async throws {
        let service = try TestService.get()
        let client = try await service.newApp(TestAppStore.settings).service
        let token = try service.appStore.sign(
            TestPayload.appTransaction(id: "m", at: TestAppStore.moment(0)).with("originalPlatform", "\"macOS\""))
        let reply = try await client.post("/v1/persons/m/app-transactions", signed(token))
        #expect(reply.json.person.original.kind == "version", "\(reply.text)")
    }

    @Test func onePersonMayHaveSeveral() async throws {
        let client = try await TestService.get().newApp(TestAppStore.settings).service
        for (id, environment) in [("a", "production"), ("b", "production"), ("a", "sandbox")] {
            let reply = try await client.post(
                "/v1/persons/p/app-transactions", #"{"appTransactionId":"\#(id)","environment":"\#(environment)"}"#)
            #expect(reply.status == 201)
        }
        let listed = try await client.get("/v1/persons/p/store-accounts").json.data.array
        #expect(listed.count == 3)
        let taken = try await client.post(
            "/v1/persons/q/app-transactions", #"{"appTransactionId":"a","environment":"sandbox"}"#)
        #expect(taken.slug == "account-taken" && taken.status == 409)
        #expect(try await client.get("/v1/persons/q").slug == "person-not-found", "a refusal leaves nothing behind")
    }

    @Test func aKeyedRegistrationIsReplayed() async throws {
        let client = try await TestService.get().newApp(TestAppStore.settings).service
        let body = #"{"appTransactionId":"a","environment":"production"}"#
        let path = "/v1/persons/p/app-transactions"
        let first = try await client.post(path, body, [("Idempotency-Key", "k")])
        let again = try await client.post(path, body, [("Idempotency-Key", "k")])
        #expect(first.status == 201 && again.status == 201 && again.json == first.json)
        #expect(again.headers["idempotency-replayed"] == "true")
    }

    @Test func whatCannotBeTaken() async throws {
        let service = try TestService.get()
        let app = try await service.newApp(TestAppStore.settings)
        let path = "/v1/persons/p/app-transactions"
        for (body, pointers) in [
            ("{}", [""]), (#"{"appTransactionId":"a"}"#, ["/environment"]),
            (#"{"appTransactionId":704289572311402534,"environment":"production"}"#, ["/appTransactionId"]),
            (#"{"appTransactionId":"a","environment":"Xcode"}"#, ["/environment"]),
            (#"{"environment":"production"}"#, [""]),
            (#"{"signedAppTransactionInfo":"a.b.c","environment":"production"}"#, ["/environment"]),
            (#"{"signedAppTransactionInfo":1}"#, ["/signedAppTransactionInfo"]),
            (#"{"appTransactionId":"a","environment":"production","more":1}"#, ["/more"]),
        ] as [(String, [String])] {
            let reply = try await app.service.post(path, body)
            #expect(reply.slug == "invalid-body" && reply.pointers == pointers, "\(body): \(reply.text)")
        }
        for (token, reason) in [
            (try TestAppStore().transaction("a"), "root-not-trusted"),
            (try service.appStore.notification(), "wrong-kind"),
            (
                try service.appStore.sign(
                    TestPayload.appTransaction(at: TestAppStore.moment(0)).with("bundleId", "\"com.example.other\"")),
                "bundle-mismatch"
            ), (try service.appStore.transaction("a", after: 3_600), "date-ahead"),
        ] {
            let reply = try await app.service.post(path, signed(token))
            #expect(reply.slug == "app-transaction-refused" && reply.status == 422, "\(reply.text)")
            #expect(reply.json.reason == .string(reason) && reply.pointers == ["/signedAppTransactionInfo"])
        }
        #expect(try await app.viewer.post(path, "{}").status == 403)
        #expect(try await app.service.get("/v1/persons/p").slug == "person-not-found")
    }

    /// A transaction that the store made before the rescission says nothing about the household's return.
    @Test func anOlderTransactionAppliesWhatWaits() async throws {
        let service = try TestService.get()
        let app = try await service.newApp(TestAppStore.settings)
        let token = try service.appStore.rescission(of: "old", after: -10)
        _ = try await app.anybody.post("/v1/app-store/notifications/\(app.id)", TestAppStore.body(token))
        let older = try await app.service.post(
            "/v1/persons/p/app-transactions", signed(try service.appStore.transaction("old", after: -60)))
        #expect(older.json.person.rescindedAt != .null, "\(older.text)")
        // One made after it is a return, also of an id that waited.
        let other = try service.appStore.rescission(of: "new", after: -60)
        _ = try await app.anybody.post("/v1/app-store/notifications/\(app.id)", TestAppStore.body(other))
        let newer = try await app.service.post(
            "/v1/persons/q/app-transactions", signed(try service.appStore.transaction("new", after: -10)))
        #expect(newer.json.person.rescindedAt == .null, "\(newer.text)")
    }
}
