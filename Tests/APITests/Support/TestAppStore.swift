import API
import AppStore
import AppStoreTestSupport
import Consent

/// An App Store of the tests' own: it signs what it is told to, and the server trusts its root.
struct TestAppStore: Sendable {
    let chain: TestChain
    let desk: AppStoreDesk

    init() throws {
        // Valid around the day the tests run.
        let now = Int(TestService.wall().microseconds / 1_000_000)
        chain = try TestChain().with { chain in
            chain.leaf.notBefore = now - 90 * 86_400
            chain.leaf.notAfter = now + 90 * 86_400
            chain.intermediate.notBefore = now - 365 * 86_400
            chain.intermediate.notAfter = now + 365 * 86_400
            chain.root.notBefore = now - 3_650 * 86_400
            chain.root.notAfter = now + 3_650 * 86_400
        }
        desk = AppStoreDesk(AppStoreVerifier(roots: try chain.roots()), threads: 2, queue: 64)
    }

    func sign(_ payload: TestPayload) throws -> String { try chain.token(payload.json) }

    /// A signed app transaction of this id, made now or so many seconds later.
    func transaction(_ id: String, after seconds: Int = 0, environment: String = "Production") throws -> String {
        try sign(.appTransaction(id: id, at: Self.moment(seconds), environment: environment))
    }

    /// A signed rescission of whoever has this id, dated now or so many seconds later; `madeAfter` is when the app transaction
    /// inside was.
    func rescission(
        of id: String, after seconds: Int = 0, madeAfter: Int = -86_400, uuid: String = UUIDs.next(),
        environment: String = "Production"
    ) throws -> String {
        let inner = try transaction(id, after: madeAfter, environment: environment)
        return try sign(
            TestPayload.rescission(carrying: inner, at: Self.moment(seconds), environment: environment)
                .with("notificationUUID", "\"\(uuid)\""))
    }

    /// A signed notification about a purchase.
    func notification(
        _ type: String = "DID_RENEW", after seconds: Int = 0, uuid: String = UUIDs.next(),
        data: TestPayload = TestPayload.data
    ) throws -> String {
        try sign(
            TestPayload.notification(type, at: Self.moment(seconds)).with("notificationUUID", "\"\(uuid)\"")
                .with("data", data.json))
    }

    static func moment(_ seconds: Int) -> Int64 { TestService.wall().microseconds + Int64(seconds) * 1_000_000 }

    static func body(_ token: String) -> String { #"{"signedPayload":"\#(token)"}"# }

    /// What an app is registered with so that all these are about it.
    static let settings =
        #"{"name":"Reader","bundleId":"com.example.reader","appAppleId":"41234","environments":["production","sandbox"]}"#
}

/// A new UUID each time.
enum UUIDs {
    static func next() -> String {
        Identifier(
            createdAt: TestService.wall(), random: .random(in: .min ... .max)
        ).text
    }
}
