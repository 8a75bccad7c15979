import Synchronization

/// What all threads of one server share. Immutable but for its atomics.
final class ServerState: Sendable {
    /// How far stopping has come; only ever rises.
    enum Phase: UInt8, AtomicRepresentable {
        case serving
        /// No new connections; every answer closes its connection.
        case stopping
        /// The grace is over: nothing that is not answered yet will be by its handler.
        case draining
    }

    let configuration: ServerConfiguration
    let responder: any Responder
    let times: Times
    let phase = Atomic<Phase>(.serving)
    let counters = Counters()
    private let identifiers = Atomic<UInt64>(UInt64.random(in: .min ... .max))

    init(configuration: ServerConfiguration, responder: any Responder) {
        self.configuration = configuration
        self.responder = responder
        times = Times(configuration)
    }

    func nextIdentifier() -> String {
        RequestIdentifier.text(
            RequestIdentifier.scattered(identifiers.wrappingAdd(1, ordering: .relaxed).newValue))
    }

    /// The configuration's times in microseconds.
    struct Times {
        let head: Int64
        let body: Int64
        let total: Int64
        let send: Int64
        let idle: Int64
        let quiet: Int64

        init(_ configuration: ServerConfiguration) {
            head = configuration.headTimeout.microseconds
            body = configuration.bodyTimeout.microseconds
            total = configuration.totalTimeout.microseconds
            send = configuration.sendTimeout.microseconds
            idle = configuration.idleTimeout.microseconds
            quiet = configuration.quietTimeout.microseconds
        }
    }
}
