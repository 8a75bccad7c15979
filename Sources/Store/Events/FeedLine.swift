package import Consent
package import Postgres
import Synchronization

/// Tells this instance's readers and the other instances that an app's log has grown.
///
/// Any thread may call it. The store calls `grew` after each commit that wrote events; whoever reads the log `attach`es. What
/// others tell comes from the listener; without one, and while it is not listening, readers have to look by themselves.
package final class FeedLine: Sendable {
    /// What a reader is told.
    package enum News: Sendable {
        /// This app's log has grown.
        case grew(AppID)
        /// Any log may have.
        case unknown
    }

    private let listener: Listener?
    private let readers: Readers

    /// A box of its own, because the listener hears before this is complete.
    private final class Readers: Sendable {
        let all = Mutex<[@Sendable (News) -> Void]>([])

        func tell(_ news: News) {
            for reader in all.withLock({ $0 }) { reader(news) }
        }
    }

    /// - Parameter connection: where to listen; nil where notifications do not arrive, as behind a transaction pooler.
    package init(
        listeningOn connection: ConnectionSettings?,
        observe: @escaping @Sendable (Listener.Observation) -> Void = { _ in }
    ) {
        let readers = Readers()
        self.readers = readers
        listener = connection.map { settings in
            Listener(settings, channel: "assent_log", observe: observe) { news in
                switch news {
                case .told(let text): if let app = AppID(text) { readers.tell(.grew(app)) }
                case .unknown: readers.tell(.unknown)
                }
            }
        }
    }

    /// From now on told; `reader` is called on any thread and must not block.
    package func attach(_ reader: @escaping @Sendable (News) -> Void) {
        readers.all.withLock { $0.append(reader) }
    }

    /// This instance committed events of the app.
    package func grew(_ app: AppID) {
        readers.tell(.grew(app))
        listener?.tell(app.text)
    }

    /// Whether other instances are heard at present.
    package var isListening: Bool { listener?.isListening ?? false }

    package func stop(within limit: Duration) async {
        _ = await listener?.stop(within: limit)
    }
}
