import API
import Consent
import Glibc
import HTTPServer
import Postgres
import Store
import Synchronization

/// The real server on a real port over a real database, one for all tests; each test makes an app of its own in it.
final class TestService: Sendable {
    let port: UInt16
    let adminKey: String
    let store: Store
    let application: Application
    let appStore: TestAppStore
    private let server: Server
    private let serial = Atomic<Int>(0)

    private static let shared = Result { try TestService() }

    static func get() throws -> TestService {
        try shared.get()
    }

    private init() throws {
        var settings = Store.Settings(try TestDatabase.settings())
        settings.writers = 2
        settings.readers = 4
        settings.loops = 2
        store = Store(settings)
        let clock = Clocks(wall: TestService.wall)
        let pages = OperationalPages(
            contract: Array("openapi: 3.1.0\n".utf8), readiness: { .ready },
            metrics: { Array("# TYPE assent_up gauge\nassent_up 1\n".utf8) })
        appStore = try TestAppStore()
        application = Application(
            store: store, pages: pages, clock: clock, appStore: appStore.desk, webhooks: TestService.webhooks,
            secrets: TestSecrets.box)
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.turns = store.turns
        server = try Server(configuration: configuration, responder: application)
        port = try server.start()
        let issued = try IssuedKey(app: nil, role: .admin, label: "tests", at: TestService.wall())
        let connection = try Connection(try TestDatabase.settings())
        defer { connection.close() }
        try Administration(connection).createAdminKey(
            id: issued.stored.id, label: issued.stored.label, secretHash: issued.stored.secretHash)
        adminKey = issued.text
    }

    /// Seals a secret into itself and its place, and knows one name, which stands for a private address.
    private static let webhooks = WebhookDesk { secret, app, endpoint in
        secret + Array("\(app.text) \(endpoint.text)".utf8)
    } resolve: { url in
        url.host == .name("inside.example") ? [.v4(0x0a00_0001)] : []
    }

    static func wall() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }

    /// A new app with a service key, a viewer key and an admin key to it.
    func newApp(_ body: String = #"{"name":"Test"}"#) async throws -> TestApp {
        let number = serial.add(1, ordering: .relaxed).newValue
        let id = "app-\(number)"
        let admin = HTTPClient(port: port, key: adminKey)
        let made = try await admin.put("/v1/apps/\(id)", body)
        guard made.status == 201 else { throw TestFailure("app: \(made.text)") }
        var keys: [String] = []
        for role in ["service", "viewer"] {
            let key = try await admin.post("/v1/apps/\(id)/keys", #"{"role":"\#(role)","label":"\#(role)"}"#)
            guard let text = key.json["key"].string else { throw TestFailure("key: \(key.text)") }
            keys.append(text)
        }
        return TestApp(
            id: id, admin: admin, service: HTTPClient(port: port, key: keys[0]),
            viewer: HTTPClient(port: port, key: keys[1]), anybody: HTTPClient(port: port, key: nil))
    }
}

/// One test's app and who may call about it.
struct TestApp: Sendable {
    let id: String
    let admin: HTTPClient
    let service: HTTPClient
    let viewer: HTTPClient
    let anybody: HTTPClient
}

struct TestFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
