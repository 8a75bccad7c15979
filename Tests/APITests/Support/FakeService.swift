import Consent
import Crypto
import HTTPServer
import Store
import Synchronization

@testable import API

/// The application in process over a fake store, with a service key of the app `reader`.
struct FakeService: Sendable {
    let store = FakeStore()
    let clock = TestClock()
    let application: Application
    let issued: IssuedKey
    let observations: Observed

    final class Observed: Sendable {
        let all = Mutex<[Observation]>([])
    }

    init(
        readiness: OperationalPages.Readiness = .ready, appStore: AppStoreDesk? = nil,
        secrets: SecretBox? = TestSecrets.box,
        limits: RateLimits.Settings = RateLimits.Settings(), feed: EventFeed.Settings = EventFeed.Settings()
    ) throws {
        let observed = Observed()
        observations = observed
        let pages = OperationalPages(contract: [], readiness: { readiness }, metrics: { [] })
        application = Application(
            store: store, pages: pages, clock: clock.clocks, appStore: appStore, secrets: secrets,
            limits: limits, feed: feed
        ) { observation in
            observed.all.withLock { $0.append(observation) }
        }
        let app = AppID(trusted: "reader")
        issued = try Self.issue(app, nil, into: store)
    }

    /// One more key, of any app.
    func issue(for app: String, _ limit: RateLimit? = nil) throws -> String {
        try Self.issue(AppID(trusted: app), limit, into: store).text
    }

    private static func issue(_ app: AppID, _ limit: RateLimit?, into store: FakeStore) throws -> IssuedKey {
        let issued = try IssuedKey(app: app, role: .service, label: "", rateLimit: limit, at: TestService.wall())
        let key = APIKey(
            id: issued.stored.id, app: app, role: .service, label: "", rateLimit: limit, createdAt: TestService.wall(),
            revokedAt: nil)
        let credential = Credential(key: key, secretHash: issued.stored.secretHash)
        store.content.withLock { $0.credentials[key.id] = credential }
        return issued
    }

    func respond(
        _ method: Method, _ path: String, _ headers: [HeaderField] = [], body: String = "", key: String? = nil,
        peer: String = "192.0.2.1"
    ) async -> Response {
        let fields = [HeaderField("Authorization", "Bearer \(key ?? issued.text)")] + headers
        let parts = path.split(separator: "?", maxSplits: 1)
        let segments = parts[0].split(separator: "/").map(String.init)
        let head = RequestHead(
            method: method, target: path, path: segments, headers: Headers(fields), id: "test-request", peer: peer)
        return await application.respond(to: Request(head: head, body: Array(body.utf8)))
    }
}

extension Response {
    var json: JSON { JSON(body) }
    var slug: String? { json.type.string.flatMap { $0.split(separator: "/").last.map(String.init) } }

    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
