import AppStoreTestSupport
import Testing

@testable import API

/// What comes in from the App Store, on a real server.
struct AppStoreTests {
    private struct Fixture {
        let app: TestApp
        let store: TestAppStore

        init(_ settings: String = TestAppStore.settings) async throws {
            let service = try TestService.get()
            app = try await service.newApp(settings)
            store = service.appStore
        }

        func send(_ token: String) async throws -> HTTPClient.Reply {
            try await app.anybody.post("/v1/app-store/notifications/\(app.id)", TestAppStore.body(token))
        }

        func notifications(_ query: String = "") async throws -> [JSON] {
            try await app.admin.get("/v1/store-notifications?app=\(app.id)\(query)").json.data.array
        }

        func events(_ type: String) async throws -> [JSON] {
            var events: [JSON] = []
            var path = "/v1/events?limit=100"
            while true {
                let page = try await app.service.get(path)
                events += page.json.data.array
                if page.json.data.array.isEmpty { return events.filter { $0.type == .string(type) } }
                path = "/v1/events?limit=100&after=\(page.json.nextCursor.string ?? "")"
            }
        }

        func register(_ person: String, _ id: String, _ environment: String = "production") async throws
            -> HTTPClient.Reply
        {
            try await app.service.post(
                "/v1/persons/\(person)/app-transactions",
                #"{"appTransactionId":"\#(id)","environment":"\#(environment)"}"#)
        }

        func approve(_ person: String, _ subject: String) async throws -> String {
            let asked = try await app.service.post(
                "/v1/questions",
                #"{"person":"\#(person)","topic":{"kind":"custom","subject":"\#(subject)"},"description":"May I?"}"#)
            let id = asked.json.id.string ?? ""
            let answered = try await app.service.post(
                "/v1/questions/\(id)/answers", #"{"guardian":"g","answer":"approval"}"#)
            guard answered.json.state == "approved" else { throw TestFailure(answered.text) }
            return id
        }
    }

    @Test func everyTypeIsKeptAndAcknowledged() async throws {
        let fixture = try await Fixture()
        let types = ["TEST", "DID_RENEW", "REFUND", "REVOKE", "SOMETHING_NEW"]
        for type in types {
            let reply = try await fixture.send(try fixture.store.notification(type))
            #expect(reply.status == 200 && reply.json.status == "accepted", "\(type): \(reply.text)")
        }
        let kept = try await fixture.notifications()
        #expect(kept.map { $0.type.string } == types)
        #expect(kept.allSatisfy { $0.status == "recorded" && $0.person == .null && $0.reason == .null })
        #expect(try await fixture.notifications("&type=TEST").count == 1)
        #expect(try await fixture.notifications("&status=recorded&environment=production").count == types.count)
        #expect(try await fixture.notifications("&environment=sandbox").isEmpty)
        #expect(try await fixture.events("person.rescinded").isEmpty)
    }

    @Test func aNotificationIsShownWithWhatWasSent() async throws {
        let fixture = try await Fixture()
        let uuid = UUIDs.next()
        let token = try fixture.store.notification("TEST", uuid: uuid)
        _ = try await fixture.send(token)
        let listed = try #require(try await fixture.notifications().first)
        #expect(
            listed.members == [
                "id", "store", "notificationUUID", "type", "subtype", "environment", "signedDate", "receivedAt",
                "status",
                "reason", "mismatch", "person",
            ])
        #expect(listed.notificationUUID == .string(uuid) && listed.store == "appStore")
        let id = listed.id.string ?? ""
        let path = "/v1/store-notifications/\(id)"
        let shown = try await fixture.app.admin.get("\(path)?app=\(fixture.app.id)")
        #expect(shown.status == 200 && shown.json.payload == .string(token) && shown.json.id == listed.id)
        #expect(try await fixture.app.service.get(path).status == 403)
        #expect(try await fixture.app.viewer.get("/v1/store-notifications").status == 403)
        #expect(try await fixture.app.admin.get(path).slug == "app-required")
        let other = try await Fixture()
        #expect(try await other.app.admin.get("\(path)?app=\(other.app.id)").slug == "notification-not-found")
    }

    @Test func theListIsPagedInTheOrderOfArrival() async throws {
        let fixture = try await Fixture()
        for number in 0..<5 { _ = try await fixture.send(try fixture.store.notification("T\(number)")) }
        var types: [String?] = []
        var query = "?app=\(fixture.app.id)&limit=2"
        repeat {
            let page = try await fixture.app.admin.get("/v1/store-notifications\(query)")
            types += page.json.data.array.map { $0.type.string }
            query = page.json.nextCursor.string.map { "?app=\(fixture.app.id)&limit=2&cursor=\($0)" } ?? ""
        } while !query.isEmpty
        #expect(types == ["T0", "T1", "T2", "T3", "T4"])
        for cursor in ["x", "s", "c" + String(repeating: "0", count: 32)] {
            let reply = try await fixture.app.admin.get(
                "/v1/store-notifications?app=\(fixture.app.id)&cursor=\(cursor)")
            #expect(reply.slug == "invalid-parameter" && reply.json.parameter == "cursor")
        }
        for query in ["status=lost", "environment=Xcode", "more=1", "type="] {
            let reply = try await fixture.app.admin.get("/v1/store-notifications?app=\(fixture.app.id)&\(query)")
            #expect(reply.slug == "invalid-parameter", "\(query)")
        }
    }

    @Test func whatCanNeverVerifyIsRefusedByName() async throws {
        let fixture = try await Fixture()
        let foreign = try TestAppStore()
        let good = try fixture.store.notification()
        for (token, reason) in [
            ("x", "token-malformed"), (try foreign.notification(), "root-not-trusted"),
            (good.dropLast(4) + "AAAA", "signature-invalid"),
            (try fixture.store.transaction("1"), "wrong-kind"),
            (
                try fixture.store.sign(TestPayload.notification("TEST").with("signedDate", nil)), "date-missing"
            ),
        ] {
            // From an address of its own: the limit is tested elsewhere.
            let reply = try await fixture.send(String(token))
            #expect(reply.slug == "notification-refused", "\(reason): \(reply.text)")
            #expect(reply.status == 400 && reply.json.reason == .string(reason), "\(reply.text)")
            #expect(reply.json.detail.string?.isEmpty == false)
        }
        #expect(try await fixture.notifications().isEmpty)
        #expect(try await fixture.send(good).status == 200)
    }

    @Test func whatFitsNoAppHere() async throws {
        let fixture = try await Fixture()
        let token = try fixture.store.notification()
        let anybody = fixture.app.anybody
        let path = "/v1/app-store/notifications/\(fixture.app.id)"
        #expect(
            try await anybody.post("/v1/app-store/notifications/nobody", TestAppStore.body(token)).slug
                == "app-not-found")
        #expect(
            try await anybody.post("/v1/app-store/notifications/NO", TestAppStore.body(token)).slug == "app-not-found")
        #expect(try await anybody.post(path, "{").slug == "malformed-body")
        #expect(try await anybody.post(path, "{}").pointers == ["/signedPayload"])
        #expect(try await anybody.post(path, #"{"signedPayload":1}"#).pointers == ["/signedPayload"])
        #expect(try await anybody.post(path + "?a=1", TestAppStore.body(token)).slug == "invalid-parameter")
        #expect(try await anybody.send("POST", path, [("Content-Type", "text/plain")], "{}").status == 415)
        // What the store adds later is no fault.
        let more = #"{"signedPayload":"\#(token)","more":{"a":1}}"#
        #expect(try await anybody.post(path, more).status == 200)
        #expect(try await anybody.get(path).status == 405)
    }

    @Test func theBodyHasALimitOfItsOwn() async throws {
        let fixture = try await Fixture()
        let path = "/v1/app-store/notifications/\(fixture.app.id)"
        let token = try fixture.store.notification()
        let blanks = 256 * 1024 - TestAppStore.body(token).utf8.count
        let most = TestAppStore.body(token) + String(repeating: " ", count: blanks)
        #expect(try await fixture.app.anybody.post(path, most).status == 200)
        #expect(try await fixture.app.anybody.post(path, most + " ").slug == "body-too-large")
        #expect(try await fixture.app.service.put("/v1/persons/p", String(repeating: " ", count: 65_537)).status == 413)
    }

    @Test func aRepeatIsAcknowledgedAndChangesNothing() async throws {
        let fixture = try await Fixture()
        let token = try fixture.store.rescission(of: "tx-1")
        _ = try await fixture.register("p", "tx-1")
        for _ in 0..<3 { #expect(try await fixture.send(token).status == 200) }
        #expect(try await fixture.notifications().count == 1)
        #expect(try await fixture.events("person.rescinded").count == 1)
        #expect(try await fixture.events("notification.received").count == 1)
    }

    @Test func aRescissionFreezesAndTellsWhatIsToBeDone() async throws {
        let fixture = try await Fixture()
        _ = try await fixture.register("p", "tx-2")
        let approved = try await fixture.approve("p", "games")
        let token = try fixture.store.rescission(of: "tx-2", after: 2)
        #expect(try await fixture.send(token).status == 200)
        let notification = try #require(try await fixture.notifications().first)
        #expect(notification.status == "applied" && notification.person == "p")
        #expect(try await fixture.notifications("&person=p&status=applied").count == 1)
        #expect(try await fixture.app.service.get("/v1/questions/\(approved)").json.state == "revoked")
        #expect(try await fixture.app.service.get("/v1/persons/p/access").json.reason == "consentRescinded")
        let event = try #require(try await fixture.events("person.rescinded").first)
        #expect(event.data.source == "appStore" && event.data.freezes == true)
        #expect(event.data.checklist.array == ["freezeState", "reconcileSubscriptions", "stopPushing"])
        #expect(event.data.notification == notification.id && event.data.environment == "production")
        // A newer signed app transaction is a sign that the household is back; what was approved stays void.
        let back = try await fixture.app.service.post(
            "/v1/persons/p/app-transactions",
            #"{"signedAppTransactionInfo":"\#(try fixture.store.transaction("tx-2", after: 60))"}"#)
        #expect(back.status == 200 && back.json.person.rescindedAt == .null, "\(back.text)")
        #expect(try await fixture.events("person.reinstated").count == 1)
        #expect(try await fixture.app.service.get("/v1/questions/\(approved)").json.state == "revoked")
    }

    @Test func anUnattributedRescissionWaitsForItsID() async throws {
        let fixture = try await Fixture()
        let approved = try await fixture.approve("p", "games")
        #expect(try await fixture.send(try fixture.store.rescission(of: "tx-3", after: 1)).status == 200)
        #expect(try await fixture.notifications("&status=unattributed").count == 1)
        #expect(try await fixture.events("notification.unattributed").count == 1)
        #expect(try await fixture.app.service.get("/v1/questions/\(approved)").json.state == "approved")
        let registered = try await fixture.register("p", "tx-3")
        #expect(registered.status == 201 && registered.json.person.rescindedAt != .null, "\(registered.text)")
        #expect(registered.json.account.id == "tx-3" && registered.json.account.signedAt == .null)
        #expect(try await fixture.notifications("&status=applied&person=p").count == 1)
        #expect(try await fixture.app.service.get("/v1/questions/\(approved)").json.state == "revoked")
    }

    /// A grant well after the rescission's `signedDate`, which arrives later still: nobody is frozen, and both are told.
    @Test func aLaterGrantStands() async throws {
        let fixture = try await Fixture()
        _ = try await fixture.register("p", "tx-4")
        let approved = try await fixture.approve("p", "games")
        #expect(try await fixture.send(try fixture.store.rescission(of: "tx-4", after: -3_600)).status == 200)
        #expect(try await fixture.notifications().map { $0.status } == ["outdated"])
        #expect(try await fixture.app.service.get("/v1/questions/\(approved)").json.state == "approved")
        #expect(try await fixture.app.service.get("/v1/persons/p").json.rescindedAt == .null)
        let history = try await fixture.app.service.get("/v1/persons/p/history").json.data.array
        #expect(history.contains { $0.type == "question.approved" })
        #expect(history.contains { $0.type == "notification.received" && $0.data.status == "outdated" })
        #expect(!history.contains { $0.type == "person.rescinded" })
    }

    /// Two clocks are compared: within a minute after it the rescission wins, and says so.
    @Test func withinTheMarginTheRescissionWins() async throws {
        let fixture = try await Fixture()
        _ = try await fixture.register("p", "tx-5")
        let approved = try await fixture.approve("p", "games")
        #expect(try await fixture.send(try fixture.store.rescission(of: "tx-5", after: -30)).status == 200)
        let event = try #require(try await fixture.events("person.rescinded").first)
        #expect(event.data.freezes == true && event.data.withinMargin.array == [.string(approved)])
        #expect(try await fixture.app.service.get("/v1/questions/\(approved)").json.state == "revoked")
    }

    @Test func aSandboxRescissionTouchesSandboxIDsOnly() async throws {
        let fixture = try await Fixture()
        _ = try await fixture.register("p", "tx-6")
        _ = try await fixture.send(try fixture.store.rescission(of: "tx-6", environment: "Sandbox"))
        #expect(try await fixture.notifications().map { $0.status } == ["unattributed"])
        #expect(try await fixture.app.service.get("/v1/persons/p").json.rescindedAt == .null)
        #expect(try await fixture.register("q", "tx-6", "sandbox").json.person.rescindedAt != .null)
    }

    @Test func quarantineNamesTheFieldAndReplayFollowsTheFix() async throws {
        let fixture = try await Fixture(#"{"name":"R","bundleId":"com.example.other","appAppleId":"41234"}"#)
        let token = try fixture.store.rescission(of: "tx-7")
        _ = try await fixture.register("p", "tx-7")
        let reply = try await fixture.send(token)
        #expect(reply.status == 200 && reply.json.status == "quarantined")
        let kept = try #require(try await fixture.notifications("&status=quarantined").first)
        #expect(kept.reason == "bundle-mismatch" && kept.mismatch.field == "/appData/bundleId", "\(kept)")
        #expect(kept.mismatch.expected == "com.example.other" && kept.mismatch.seen == "com.example.reader")
        #expect(try await fixture.events("notification.quarantined").count == 1)
        let path = "/v1/store-notifications/\(kept.id.string ?? "")"
        let query = "?app=\(fixture.app.id)"
        #expect(try await fixture.app.admin.post(path + "/replay" + query, "{}").json.status == "quarantined")
        _ = try await fixture.app.admin.put("/v1/apps/\(fixture.app.id)", TestAppStore.settings)
        let replayed = try await fixture.app.admin.post(path + "/replay" + query, "{}")
        #expect(replayed.status == 200 && replayed.json.status == "applied" && replayed.json.person == "p")
        #expect(replayed.json.reason == .null)
        #expect(try await fixture.app.admin.get(path + query).json.payload == .string(token))
        #expect(try await fixture.app.service.get("/v1/persons/p").json.rescindedAt != .null)
        // Again: as it is.
        #expect(try await fixture.app.admin.post(path + "/replay" + query, "{}").json.status == "applied")
        #expect(try await fixture.events("person.rescinded").count == 1)
    }

    @Test func aBadInnerTokenQuarantinesAndRescindsNobody() async throws {
        let fixture = try await Fixture()
        _ = try await fixture.register("p", "tx-8")
        let foreign = try TestAppStore()
        let token = try fixture.store.sign(
            TestPayload.rescission(carrying: try foreign.transaction("tx-8"), at: TestAppStore.moment(0)))
        #expect(try await fixture.send(token).json.status == "quarantined")
        let kept = try #require(try await fixture.notifications().first)
        #expect(kept.reason == "inner-token-refused:root-not-trusted", "\(kept)")
        #expect(try await fixture.app.service.get("/v1/persons/p").json.rescindedAt == .null)
    }

    @Test func attributionByHand() async throws {
        let fixture = try await Fixture()
        _ = try await fixture.app.service.put("/v1/persons/p", "{}")
        _ = try await fixture.send(try fixture.store.rescission(of: "tx-9"))
        _ = try await fixture.send(try fixture.store.notification("TEST"))
        let kept = try await fixture.notifications()
        let path = "/v1/store-notifications/\(kept[0].id.string ?? "")/attribution?app=\(fixture.app.id)"
        let admin = fixture.app.admin
        #expect(try await admin.post(path, #"{"person":"nobody"}"#).slug == "person-not-found")
        #expect(try await admin.post(path, "{}").pointers == ["/person"])
        let attributed = try await admin.post(path, #"{"person":"p"}"#)
        #expect(attributed.status == 200 && attributed.json.status == "applied", "\(attributed.text)")
        #expect(attributed.json.person == "p")
        #expect(try await fixture.app.service.get("/v1/persons/p").json.rescindedAt != .null)
        let accounts = try await fixture.app.service.get("/v1/persons/p/store-accounts")
        #expect(accounts.json.data.array.map { $0.id } == ["tx-9"])
        let test = "/v1/store-notifications/\(kept[1].id.string ?? "")/attribution?app=\(fixture.app.id)"
        let refused = try await admin.post(test, #"{"person":"p"}"#)
        #expect(refused.slug == "not-attributable" && refused.json.current.id == kept[1].id)
        #expect(try await fixture.app.service.post(test, #"{"person":"p"}"#).status == 403)
    }

    @Test func erasingThePersonTakesWhatWasSent() async throws {
        let fixture = try await Fixture()
        _ = try await fixture.register("p", "tx-10")
        let rescission = try fixture.store.rescission(of: "tx-10")
        let inside = try fixture.store.sign(TestPayload([("appTransactionId", "\"tx-10\"")]))
        let purchase = try fixture.store.notification(
            data: TestPayload.data.with("signedTransactionInfo", "\"\(inside)\""))
        for token in [rescission, purchase] { #expect(try await fixture.send(token).status == 200) }
        #expect(try await fixture.notifications("&person=p").count == 2)
        #expect(try await fixture.app.service.delete("/v1/persons/p").status == 204)
        for kept in try await fixture.notifications() {
            let path = "/v1/store-notifications/\(kept.id.string ?? "")"
            let shown = try await fixture.app.admin.get("\(path)?app=\(fixture.app.id)")
            #expect(shown.json.payload == .null && shown.json.person == .null, "\(shown.text)")
            let replayed = try await fixture.app.admin.post("\(path)/replay?app=\(fixture.app.id)", "{}")
            #expect(replayed.slug == "not-replayable" && replayed.json.current.id == kept.id)
        }
        // Known still: the same again is no news.
        #expect(try await fixture.send(rescission).status == 200)
        #expect(try await fixture.notifications().count == 2)
    }
}
