import HTTPServer
import Postgres

/// Everything the rooms and the wiring report while the server runs; the log and the metrics each make of it what they need.
///
/// Nothing in it may tell of a person: no ids of callers, no bodies, no keys, no addresses.
enum Observation: Sendable {
    /// The settings in force, masked.
    case starting(settings: [(name: String, value: String)])
    /// A variable that looks like a setting and is none.
    case strangeVariable(name: String, near: [String])
    case cluster(ClusterNews)
    /// Numbers applied just now.
    case migrated([Int32])
    case listening(ListeningNews)
    case request(ExchangeRecord)
    case pool(name: String, PoolObservation)
    /// A signal asked the server to stop.
    case stopping(signal: Int32)
    /// Everything is closed, in order.
    case stopped
    /// The server cannot start or go on; a sentence for the operator.
    case failed(String)

    /// Of the private cluster of `--embedded`.
    enum ClusterNews: Sendable {
        case started
        case died
        case stopped
        case troubled(String)
    }

    struct ListeningNews: Sendable {
        let address: String
        let port: Int
        let tls: Bool
        let connectionLimit: Int
        let openFiles: Int
    }
}
