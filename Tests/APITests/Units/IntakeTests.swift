import AppStore
import AppStoreTestSupport
import Consent
import HTTPServer
import Store
import Testing

@testable import API

/// The intake where store and database are brought to do what real ones seldom do.
struct IntakeTests {
    private let service: FakeService
    private let appStore: TestAppStore
    private static let app = AppID(trusted: "reader")

    init() throws {
        appStore = try TestAppStore()
        service = try FakeService(appStore: appStore.desk)
        let settings = AppSettings(
            name: "R", bundleID: TestPayload.bundle, appAppleID: TestPayload.appAppleID,
            environments: [.production, .sandbox])
        let now = TestService.wall()
        service.store.content.withLock {
            $0.apps[Self.app] = App(id: Self.app, settings: settings, revision: 1, createdAt: now, updatedAt: now)
        }
    }

    private func send(_ token: String, from peer: String = "192.0.2.1") async -> Response {
        await service.respond(
            .post, "/v1/app-store/notifications/reader", [HeaderField("Content-Type", "application/json")],
            body: TestAppStore.body(token), peer: peer)
    }

    private func accept() {
        let notification = StoreNotification(
            id: Identifier(high: 1, low: 2), store: .appStore, uuid: nil, type: nil, subtype: nil, environment: nil,
            signedDate: nil, receivedAt: TestService.wall(), status: .recorded, isRescission: false)
        service.store.content.withLock {
            $0.reply = .done(.notification(.init(notification: notification, person: nil, payload: nil)))
        }
    }

    private var news: [NotificationNews] {
        service.observations.all.withLock { all in
            all.compactMap { if case .notification(let news) = $0 { news } else { nil } }
        }
    }

    @Test func onlyFailuresAreLimited() async throws {
        accept()
        let good = try appStore.notification()
        for _ in 0..<20 {
            let reply = await send("a.b.c")
            #expect(reply.status == 400 && reply.slug == "notification-refused")
        }
        let limited = await send("a.b.c")
        #expect(limited.status == 429 && limited.slug == "too-many-failures" && limited.header("Retry-After") == "3")
        #expect(limited.header("RateLimit-Policy") == "\"failures\";q=20;w=60")
        #expect(limited.header("RateLimit") == "\"failures\";r=0;t=3")
        #expect(limited.json.reason == "token-malformed")
        #expect(limited.json["violated-policies"].array.compactMap(\.string) == ["failures"])
        // The same source's genuine ones are taken; another source has an allowance of its own.
        for _ in 0..<50 { #expect(await send(good).status == 200) }
        #expect(await send("a.b.c", from: "192.0.2.2").status == 400)
        service.clock.advance(by: .seconds(3))
        #expect(await send("a.b.c").status == 400)
        #expect(await send("a.b.c").status == 429)
        #expect(news.filter { $0 == .kept(.recorded, reason: nil) }.count == 50)
        #expect(news.filter { $0 == .refused(reason: "token-malformed", isLimited: false) }.count == 22)
        #expect(news.filter { $0 == .refused(reason: "token-malformed", isLimited: true) }.count == 2)
    }

    @Test(arguments: [
        (StoreFailure.unavailable, "unavailable"), (.overloaded, "overloaded"), (.deadline, "timed-out"),
        (.outcomeUnknown, "outcome-unknown"),
    ])
    func whenTheDatabaseIsAwayItIsSentAgain(_ failure: StoreFailure, _ slug: String) async throws {
        service.store.content.withLock { $0.failure = failure }
        let reply = await send(try appStore.notification())
        #expect(reply.status == 503 && reply.slug == slug && reply.header("Retry-After") != nil)
        #expect(news == [.postponed])
    }

    @Test func withoutARootNothingIsTaken() async throws {
        let service = try FakeService()
        let token = try appStore.notification()
        let intake = await service.respond(
            .post, "/v1/app-store/notifications/reader", [HeaderField("Content-Type", "application/json")],
            body: TestAppStore.body(token))
        #expect(intake.slug == "app-store-not-configured" && intake.status == 503)
        #expect(intake.header("Retry-After") != nil)
        let registration = await service.respond(
            .post, "/v1/persons/p/app-transactions", [HeaderField("Content-Type", "application/json")],
            body: #"{"signedAppTransactionInfo":"a.b.c"}"#)
        #expect(registration.slug == "app-store-not-configured")
    }

    @Test func aFullQueueIsToldAtOnce() async throws {
        accept()
        // One works, none may wait.
        let desk = AppStoreDesk(appStore.desk.verifier, threads: 1, queue: 0)
        let service = try FakeService(appStore: desk)
        service.store.content.withLock { [own = self.service.store.content.withLock({ $0 })] in $0 = own }
        let token = try appStore.notification()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    await service.respond(
                        .post, "/v1/app-store/notifications/reader", [HeaderField("Content-Type", "application/json")],
                        body: TestAppStore.body(token)
                    ).status
                }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(statuses.isSubset(of: [200, 503]) && statuses.contains(200))
    }
}
