import AppStore
import Consent
import Crypto

/// Everything that can be set, with its defaults; how each is given stands in `Setting+Table.swift`.
struct Configuration: Sendable {
    // Listening
    /// Loopback by default: who may reach children's data is somebody's decision, not an accident of starting a server.
    var host = "127.0.0.1"
    /// 0: any free port; the log says which.
    var port = 8080
    var tlsCertificate: String?
    var tlsKey: String?

    // Database
    var databaseURL: String?
    var pooler = Pooler.none
    var embedded = false
    var dataDirectory = ".assent"
    var resources: String?
    var demo = false
    var migrateOnStart = false

    // Stores
    /// Files of root certificates that the App Store's signatures are trusted by; none: nothing of the store's is taken.
    var appStoreRoots: [String] = []
    var appStoreDates = DateRule.signing
    var appStoreThreads = 2
    var appStoreQueue = 512

    // Secrets
    /// Under which stored secrets are sealed, the newest first; none: those of the file, or of the data directory.
    var secretKeys: [SecretKey] = []
    var secretKeyFile: String?
    /// In days; 0: never.
    var signingKeyDays = 90

    // Throughput
    var writeConnections = 4
    var readConnections = 4
    var writeQueue = 8192
    var readQueue = 16_384
    var httpThreads = 0

    // Limits
    var connectionLimit = 0
    var bodyLimit = 64 * 1024
    var headTimeout = Duration.seconds(10)
    var bodyTimeout = Duration.seconds(30)
    var requestTimeout = Duration.seconds(60)
    var idleTimeout = Duration.seconds(75)
    var stopDelay = Duration.zero
    var stopTimeout = Duration.seconds(20)

    // Streams
    var wakeUps = WakeUps.listen
    var eventPolling = Duration.milliseconds(500)
    var streamsPerKey = 1_000
    var streamBuffer = 1024 * 1024

    // Webhooks
    /// Ranges of addresses that webhooks may be sent to although they are not public; by plain http too.
    var webhookAllow: [AddressRange] = []
    /// Certificates that receivers are trusted by; nil: the system's.
    var webhookAuthorities: String?
    var webhookTimeout = Duration.seconds(15)
    var webhookConcurrency = 128

    // Retention
    /// In days; 0: for ever. To lose evidence must be somebody's decision.
    var keepEventsDays = 0
    var keepQuestionsDays = 0
    var keepNotificationsDays = 180

    // Logging
    var logLevel = LogLevel.info
    var accessLog = AccessLog.all

    /// What stands between this program and PostgreSQL.
    enum Pooler: String, Sendable, CaseIterable {
        /// Nothing that matters: a connection is a session.
        case none
        /// Something that gives each transaction whichever session is free.
        case transaction
    }

    /// Whether notifications can arrive.
    var listens: Bool { wakeUps == .listen && pooler == .none }

    /// How this instance learns what others wrote.
    enum WakeUps: String, Sendable, CaseIterable {
        /// By LISTEN and NOTIFY, with a slow look at the logs under it.
        case listen
        /// By looking at the logs alone: for transaction poolers.
        case poll
    }

    /// Which finished requests get a line in the log.
    enum AccessLog: String, Sendable, CaseIterable {
        case all
        /// Those answered with 500 or above.
        case failures
        case none
    }
}
