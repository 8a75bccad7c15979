import API
import AppStore
import HTTPServer
import Postgres
import Store
import Workers

/// Everything the rooms and the wiring report while the server runs; the log and the metrics each make of it what they need.
///
/// Nothing in it may tell of a person: no ids of callers, no bodies, no keys, no addresses.
enum Observation: Sendable {
    /// The settings in force, masked.
    case starting(settings: [(name: String, value: String)])
    /// A variable that looks like a setting and is none.
    case strangeVariable(name: String, near: [String])
    case cluster(EmbeddedCluster.Observation)
    /// The database could not be reached yet; it is tried again.
    case waitingForDatabase(MigrationError)
    /// Numbers applied just now.
    case migrated([Int32])
    /// The roots that the App Store's signatures are trusted by; none: nothing of the store's is taken.
    case appStoreRoots([TrustedRoots.Root])
    case listening(ListeningNews)
    case request(ExchangeRecord)
    /// Decisions about access were made.
    case decided(AccessTally)
    /// A notification of the App Store came.
    case notification(NotificationNews)
    /// A statement failed in a way nobody foresaw, and somebody was told 500.
    case databaseFault(sqlState: String?, route: String, requestID: String)
    case pool(name: String, PoolObservation)
    /// What the connection that hears of other instances' events reports.
    case listener(Listener.Observation)
    case swept(Result<Sweeper.Report, StoreFailure>)
    /// Questions cancelled because their change was withdrawn.
    case cancelledWithdrawn(Result<Int, StoreFailure>)
    /// Questions told of as soon to expire.
    case reminded(Result<Int, StoreFailure>)
    /// Rows taken away because they are old.
    case pruned(Result<Retention.Pruned, StoreFailure>)
    /// What the delivery of webhooks reports.
    case delivery(DeliveryNews)
    /// A signal asked the server to stop.
    case stopping(signal: Int32)
    /// Everything is closed, in order.
    case stopped
    /// The server cannot start or go on; a sentence for the operator.
    case failed(String)

    struct ListeningNews: Sendable {
        let address: String
        let port: Int
        let tls: Bool
        let connectionLimit: Int
        let openFiles: Int
    }
}
