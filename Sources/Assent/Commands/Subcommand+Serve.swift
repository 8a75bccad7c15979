import API

extension Subcommand {
    static let serve = Subcommand(
        "serve", summary: "Serve the API until told to stop (SIGTERM, SIGINT).",
        details: """
            Needs a database: DATABASE_URL, or --embedded for a private PostgreSQL cluster in the data directory. The schema
            must be up to date ('assent migrate'). On SIGTERM or SIGINT it turns unready, answers what is under way, closes
            everything in order and exits 0; a second signal changes nothing.
            """,
        settings: Setting.table,
        run: { invocation, surroundings in
            let reader = ConfigurationReader(settings: Setting.table, environment: surroundings.environment)
            let reading = reader.read(flags: invocation.flags)
            var faults = reading.faults
            if let missing = reading.configuration.missingDatabase { faults.append(missing) }
            guard faults.isEmpty else {
                for fault in faults { surroundings.console.complain("assent: \(fault.sentence)") }
                surroundings.console.complain("See 'assent serve --help'.")
                return .usage
            }
            surroundings.signals.claim()
            let observer = Observer(
                sink: LogSink(),
                metrics: Metrics(
                    routes: Route.allCases.map { .init(method: $0.location.method, template: $0.location.template) },
                    pools: ["write", "read"]),
                level: reading.configuration.logLevel, accessLog: reading.configuration.accessLog)
            observer.record(.starting(settings: Setting.table.map { ($0.name, $0.masked(reading.configuration)) }))
            for stranger in reader.strangers() {
                observer.record(.strangeVariable(name: stranger.name, near: stranger.near))
            }
            let code = await serve(reading.configuration, observer, surroundings)
            observer.sink.flush()
            return code
        })

    private static func serve(
        _ configuration: Configuration, _ observer: Observer, _ surroundings: Surroundings
    ) async -> ExitCode {
        let service = Service(configuration: configuration, observer: observer)
        do throws(StartFailure) {
            let port = try await service.start { surroundings.signals.received == nil }
            if configuration.demo {
                surroundings.console.say(service.invitation(port: port))
            }
        } catch {
            if let signal = surroundings.signals.received {
                observer.record(.stopping(signal: signal))
                observer.record(.stopped)
                return .success
            }
            observer.record(.failed(error.sentence))
            return error.exitCode
        }
        observer.record(.stopping(signal: await surroundings.signals.next()))
        await service.closing.close()
        observer.record(.stopped)
        return .success
    }
}
