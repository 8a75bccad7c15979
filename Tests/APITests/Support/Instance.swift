import API
import Consent
import HTTPServer
import Store
import Synchronization

/// One more server over the tests' database, as a process of its own would be: with pools, a listener and a feed of its own.
final class Instance: Sendable {
    let port: UInt16
    let line: FeedLine
    let application: Application
    private let store: Store
    private let server: Server
    private let follower: Task<Void, Never>
    private let isStopped = Atomic(false)

    init(
        listens: Bool = true, limits: RateLimits.Settings = RateLimits.Settings(),
        clock: Clocks = Clocks(wall: TestService.wall), _ change: (inout EventFeed.Settings) -> Void = { _ in }
    ) throws {
        var settings = Store.Settings(try TestDatabase.settings())
        settings.writers = 2
        settings.readers = 4
        settings.loops = 2
        let line = FeedLine(listeningOn: listens ? settings.connection : nil)
        store = Store(settings, logs: { line.grew($0) })
        var feed = EventFeed.Settings()
        feed.isListening = { line.isListening }
        feed.polling = .milliseconds(100)
        change(&feed)
        let pages = OperationalPages(contract: [], readiness: { .ready }, metrics: { [] })
        application = Application(
            store: store, pages: pages, clock: clock, secrets: TestSecrets.box, limits: limits, feed: feed)
        line.attach { [feed = application.feed] in feed.hear($0) }
        follower = Task { [feed = application.feed] in await feed.run() }
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.turns = store.turns
        server = try Server(configuration: configuration, responder: application)
        port = try server.start()
        self.line = line
    }

    /// Lets a test use an instance of its own and stops it, whatever comes of the test.
    static func use(
        listens: Bool = true, limits: RateLimits.Settings = RateLimits.Settings(),
        clock: Clocks = Clocks(wall: TestService.wall), _ change: (inout EventFeed.Settings) -> Void = { _ in },
        _ body: (Instance) async throws -> Void
    ) async throws {
        let instance = try Instance(listens: listens, limits: limits, clock: clock, change)
        do {
            try await body(instance)
        } catch {
            await instance.stop()
            throw error
        }
        await instance.stop()
    }

    func client(_ app: TestApp) -> HTTPClient { HTTPClient(port: port, key: app.service.key) }

    /// Returns once notifications arrive.
    func listening() async throws {
        while !line.isListening { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// Once; a second call does nothing.
    func stop() async {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        application.feed.stop()
        await server.stop(grace: .seconds(2))
        follower.cancel()
        await store.stop(within: .seconds(2))
        await line.stop(within: .seconds(2))
    }
}
