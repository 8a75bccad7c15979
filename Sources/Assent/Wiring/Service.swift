import API
import AppStore
import Consent
import Crypto
import HTTPServer
import Postgres
import Store
import Workers

/// The running server: starts its parts in order, each before whatever needs it, and stops them in reverse.
///
/// Configuration and log come first, outside; then cluster, schema, database connections, workers, and the listener last:
/// nobody is let in before everything works, and the listener drains before anything it needs is taken away.
struct Service: Sendable {
    let configuration: Configuration
    let observer: Observer
    let closing = Closing()

    /// Starts everything; where a part does not start, what was started before it is stopped again.
    ///
    /// - Parameter isWanted: asked between attempts to reach the database; false gives up.
    /// - Returns: the port it listens on.
    func start(while isWanted: @Sendable () -> Bool) async throws(StartFailure) -> Int {
        do throws(StartFailure) {
            let resources = try Resources.find(configuration.resources)
            guard let contract = Files.read(resources.contract) else {
                throw .failed("\(resources.contract) cannot be read")
            }
            var http = try ServerConfiguration(configuration)
            let appStore = try openAppStore()
            let secrets = try SecretBox.find(configuration)
            let access = try await openDatabase()
            try await checkSchema(access, resources, while: isWanted)
            let alarms = Alarms()
            let line = startLine(access)
            let store = startStore(access, alarms, line, loops: http.threads)
            http.turns = store.turns
            startWorkers(store, alarms)
            try startDeliveries(store, line, secrets)
            if configuration.demo { try await demo(store, access).prepare() }
            return try listen(http, store, line, appStore, secrets, contract)
        } catch {
            await closing.close()
            throw error
        }
    }

    /// What to type to try the demo out, where the server listens on this port.
    func invitation(port: Int) -> String {
        let scheme = configuration.tlsCertificate == nil ? "http" : "https"
        let anywhere = configuration.host == "0.0.0.0" || configuration.host == "::"
        let host =
            anywhere ? "localhost" : configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        return Demo.invitation(at: "\(scheme)://\(host):\(port)", in: configuration.dataDirectory)
    }

    private func demo(_ store: Store, _ access: DatabaseAccess) -> Demo {
        Demo(
            store: store, desk: KeyDesk(store: store, connection: access.connection),
            dataDirectory: configuration.dataDirectory)
    }

    private func openDatabase() async throws(StartFailure) -> DatabaseAccess {
        let access = try await DatabaseAccess.open(configuration) { [observer] in observer.record(.cluster($0)) }
        if configuration.embedded, access.cluster == nil {
            throw .failed("the data directory \(configuration.dataDirectory) is in use by another server")
        }
        closing.add { await access.close() }
        return access
    }

    /// What wakes the workers.
    private struct Alarms {
        let expirations = Alarm()
        let withdrawals = Alarm()
    }

    private func startLine(_ access: DatabaseAccess) -> FeedLine {
        let line = FeedLine(listeningOn: configuration.listens ? access.connection : nil) { [observer] in
            observer.record(.listener($0))
        }
        closing.add { await line.stop(within: .seconds(5)) }
        observer.metrics.add([
            Gauge("assent_listener_listening", .gauge, "1 while other instances' notifications are heard.") {
                line.isListening ? 1 : 0
            }
        ])
        return line
    }

    private func startStore(
        _ access: DatabaseAccess, _ alarms: Alarms, _ line: FeedLine, loops: Int
    ) -> Store {
        var settings = Store.Settings(access.connection)
        settings.writers = configuration.writeConnections
        settings.readers = configuration.readConnections
        settings.loops = loops
        settings.writeQueue = configuration.writeQueue
        settings.readQueue = configuration.readQueue
        settings.patience = configuration.requestTimeout
        let store = Store(
            settings, observe: { [observer] in observer.record(.pool(name: $0, $1)) },
            // The sweeper sleeps until the next expiration it knows of; a sooner one wakes it.
            expires: { [alarm = alarms.expirations] in alarm.ring(at: $0) },
            withdraws: { [alarm = alarms.withdrawals] in alarm.ring() },
            logs: { line.grew($0) })
        closing.add { await store.stop(within: .seconds(5)) }
        observer.metrics.add(Gauge.all(of: store))
        return store
    }

    private func startWorkers(_ store: Store, _ alarms: Alarms) {
        let observer = observer
        let holder = Identifier(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
        let sweeper = Sweeper(store, alarm: alarms.expirations, holder: holder) { observer.record(.swept($0)) }
        let withdrawals = Withdrawals(store, alarm: alarms.withdrawals, holder: holder) {
            observer.record(.cancelledWithdrawn($0))
        }
        let reminder = Reminder(store, holder: holder) { observer.record(.reminded($0)) }
        let retention = Retention(store, holder: holder, kept: configuration.kept) { observer.record(.pruned($0)) }
        let workers = Task {
            await withDiscardingTaskGroup { group in
                group.addTask { await sweeper.run() }
                group.addTask { await withdrawals.run() }
                group.addTask { await reminder.run() }
                group.addTask { await retention.run() }
            }
        }
        closing.add {
            workers.cancel()
            // What a worker has in hand may wait for a database that is gone: the store's end gives it up.
            async let isStopped = store.stop(within: .seconds(5))
            await workers.value
            _ = await isStopped
        }
    }

    /// Reads the store's roots and starts the threads that verify by them; nil where none is named.
    private func openAppStore() throws(StartFailure) -> AppStoreDesk? {
        let roots = try TrustedRoots.read(configuration.appStoreRoots)
        observer.record(.appStoreRoots(roots?.roots ?? []))
        let desk = roots.map {
            AppStoreDesk(
                AppStoreVerifier(roots: $0, dates: configuration.appStoreDates),
                threads: configuration.appStoreThreads, queue: configuration.appStoreQueue)
        }
        observer.metrics.add(Gauge.all(of: desk))
        return desk
    }

    private func listen(
        _ http: ServerConfiguration, _ store: Store, _ line: FeedLine, _ appStore: AppStoreDesk?,
        _ secrets: SecretBox?, _ contract: [UInt8]
    ) throws(StartFailure) -> Int {
        let observer = observer
        let readiness = Readiness(store)
        let application = Application(
            store: store,
            pages: OperationalPages(
                contract: contract, readiness: { readiness.now }, metrics: { observer.metrics.page }),
            clock: Clocks(wall: { Instant(microseconds: WallClock.microseconds) }),
            appStore: appStore, webhooks: webhookDesk(secrets), secrets: secrets,
            signingKeyDays: configuration.signingKeyDays, limits: configuration.rateLimits,
            largestBody: configuration.bodyLimit, feed: feedSettings(line),
            observe: { observer.record(Observation($0)) })
        let feed = application.feed
        line.attach { feed.hear($0) }
        let follower = Task { await feed.run() }
        closing.add { follower.cancel() }
        observer.metrics.add(Gauge.all(of: feed))
        observer.metrics.add(Gauge.all(of: application.limits))
        do throws(ServerError) {
            let server = try Server(configuration: http, responder: application)
            let port = try server.start()
            closing.add { [configuration] in
                readiness.drain()
                _ = try? await Task.sleep(for: configuration.stopDelay)
                feed.stop()
                await server.stop(grace: configuration.stopTimeout)
            }
            observer.metrics.add(Gauge.all(of: server))
            observer.record(
                .listening(
                    .init(
                        address: http.address, port: Int(port), tls: http.tls != nil,
                        connectionLimit: server.connectionLimit, openFiles: server.openFiles.soft)))
            return Int(port)
        } catch {
            throw .failed(error.description)
        }
    }
}

extension Service {
    private func feedSettings(_ line: FeedLine) -> EventFeed.Settings {
        var settings = EventFeed.Settings()
        settings.streamsPerKey = configuration.streamsPerKey
        settings.streamBuffer = configuration.streamBuffer
        settings.polling = configuration.eventPolling
        settings.isListening = { line.isListening }
        return settings
    }
}

extension Observation {
    init(_ news: API.Observation) {
        switch news {
        case .exchange(let record): self = .request(record)
        case .decided(let tally): self = .decided(tally)
        case .notification(let news): self = .notification(news)
        case .limited(let policy): self = .limited(policy)
        case .databaseFault(let sqlState, let route, let requestID):
            self = .databaseFault(sqlState: sqlState, route: route, requestID: requestID)
        }
    }
}
