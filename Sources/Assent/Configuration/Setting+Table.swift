extension Setting {
    /// Where the database is: what every command that talks to it reads.
    static let databaseTable: [Setting] = [
        Setting(
            .database, "database-url", \.databaseURL, .optionalText("url"), environment: "DATABASE_URL",
            mask: DatabaseURLMask.mask,
            "PostgreSQL to use; several hosts and target_session_attrs=read-write follow a failover"),
        Setting(
            .database, "pooler", \.pooler, .choice,
            "transaction where one in front of the database gives each transaction another session"),
        Setting(
            .database, "embedded", \.embedded, .flag,
            "run a private PostgreSQL cluster in the data directory instead of DATABASE_URL"),
        Setting(
            .database, "data-dir", \.dataDirectory, .text("path"),
            "where --embedded keeps its cluster and --demo its keys"),
        Setting(
            .database, "resources", \.resources, .optionalText("path"),
            "folder of migrations/ and openapi/, where they are not beside the program"),
    ]

    /// What it takes to verify what a store signed.
    static let storesTable: [Setting] = [
        Setting(
            .stores, "app-store-root", \.appStoreRoots, .paths("file"), environment: "ASSENT_APP_STORE_ROOTS",
            "root certificate that the App Store's signatures are trusted by, PEM or DER; may be given more than once"),
        Setting(
            .stores, "app-store-dates", \.appStoreDates, .choice,
            "when the store's certificates must be valid: as they signed, or now"),
    ]

    /// Under what secrets are stored.
    static let secretsTable: [Setting] = [
        Setting(
            .secrets, "secret-key", \.secretKeys, .secretKeys, isFlag: false,
            "keys under which signing keys and webhook secrets are stored, base64, the newest first; --embedded makes one"
        ),
        Setting(
            .secrets, "secret-key-file", \.secretKeyFile, .optionalText("file"),
            "file that holds what ASSENT_SECRET_KEY would"),
    ]

    /// Every setting, in the order help and README show them.
    static let table: [Setting] =
        [
            Setting(
                .listening, "host", \.host, .text("address"),
                "address to listen on; 0.0.0.0 for all of IPv4, :: for all of both"),
            Setting(.listening, "port", \.port, .number(0...65_535), "port to listen on; 0 takes any free one"),
            Setting(
                .listening, "tls-cert", \.tlsCertificate, .optionalText("file"),
                "PEM certificate chain; with --tls-key serves TLS 1.2 and newer only"),
            Setting(.listening, "tls-key", \.tlsKey, .optionalText("file"), "PEM private key of --tls-cert"),
        ] + databaseTable + [
            Setting(
                .database, "demo", \.demo, .flag,
                "create the app 'demo' with a service and an admin key, written to the data directory"),
            Setting(
                .database, "migrate-on-start", \.migrateOnStart, .flag,
                "apply pending migrations before serving; with --embedded they always are"),
        ] + storesTable + [
            Setting(
                .stores, "app-store-threads", \.appStoreThreads, .number(1...64),
                "threads that verify what the App Store signed"),
            Setting(
                .stores, "app-store-queue", \.appStoreQueue, .number(1...100_000),
                "signed tokens that may wait to be verified; past it the answer is 503 at once"),
        ] + secretsTable + [
            Setting(
                .secrets, "signing-key-days", \.signingKeyDays, .number(0...3_650),
                "days after which another key signs browsers' tokens; 0 leaves that to 'assent signing-key rotate'"),
            Setting(
                .throughput, "write-connections", \.writeConnections, .number(1...64),
                "database connections that run transactions, each on a thread of its own"),
            Setting(
                .throughput, "read-connections", \.readConnections, .number(1...64),
                "database connections that answer reads: up to half on the threads of sockets, the others on their own"),
            Setting(
                .throughput, "write-queue", \.writeQueue, .number(1...1_000_000),
                "commands that may wait for a connection; past it the answer is 503 at once"),
            Setting(
                .throughput, "read-queue", \.readQueue, .number(1...1_000_000),
                "reads that may wait for a connection; past it the answer is 503 at once"),
            Setting(
                .throughput, "http-threads", \.httpThreads, .number(0...256),
                "threads that read and write sockets; 0 decides by the number of cores"),
            Setting(
                .limits, "connection-limit", \.connectionLimit, .number(0...1_000_000),
                "client connections at once; 0 takes what the limit on open files allows"),
            Setting(
                .limits, "body-limit", \.bodyLimit, .size(1024...16 * 1024 * 1024),
                "largest request body; past it the answer is 413"),
            Setting(
                .limits, "head-timeout", \.headTimeout, .duration(.milliseconds(100)...(.seconds(600))),
                "how long a request's head may take to arrive"),
            Setting(
                .limits, "body-timeout", \.bodyTimeout, .duration(.milliseconds(100)...(.seconds(3600))),
                "how long a request's body may take to arrive"),
            Setting(
                .limits, "request-timeout", \.requestTimeout, .duration(.milliseconds(100)...(.seconds(3600))),
                "how long a request may take from its first byte to its answer, waits and streams apart"),
            Setting(
                .limits, "idle-timeout", \.idleTimeout, .duration(.seconds(1)...(.seconds(3600))),
                "how long a connection may rest between requests"),
            Setting(
                .limits, "stop-delay", \.stopDelay, .duration(.zero...(.seconds(600))),
                "how long a stop goes on serving while /readyz says 503, for balancers to notice"),
            Setting(
                .limits, "stop-timeout", \.stopTimeout, .duration(.seconds(1)...(.seconds(600))),
                "how long a stop waits for requests under way before they are answered 503"),
            Setting(
                .rates, "rate-limit-key", \.rateLimitKey, .rateLimit,
                "requests that a key may make of this server, where it has no limit of its own; past it the answer is 429"
            ),
            Setting(
                .rates, "rate-limit-token", \.rateLimitToken, .rateLimit,
                "requests that one person or guardian may make of this server with browsers' tokens; past it the answer is 429"
            ),
            Setting(
                .rates, "rate-limit-source", \.rateLimitSource, .rateLimit,
                "requests that a source address may make of this server, with whatever keys or none; past it the answer is 429"
            ),
            Setting(
                .rates, "trusted-proxies", \.trustedProxies, .number(0...16),
                "proxies before this server that say whom they forward for; 0: the peer of the connection is the source"
            ),
            Setting(
                .rates, "proxy-header", \.proxyHeader, .choice,
                "the header in which the trusted proxies say it"),
            Setting(
                .streams, "event-wake-ups", \.wakeUps, .choice,
                "how other instances' events are noticed; behind a transaction pooler always by looking at the logs"),
            Setting(
                .streams, "event-polling", \.eventPolling, .duration(.milliseconds(50)...(.seconds(60))),
                "how often the logs are looked at while notifications do not arrive"),
            Setting(
                .streams, "streams-per-key", \.streamsPerKey, .number(0...1_000_000),
                "event streams that one key may have open on this server; past it the answer is 429"),
            Setting(
                .streams, "stream-buffer", \.streamBuffer, .size(64 * 1024...64 * 1024 * 1024),
                "bytes that may wait for a stream's reader; past it the stream is cut"),
        ] + webhooksTable + [
            Setting(
                .retention, "keep-events-days", \.keepEventsDays, .number(0...36_500),
                "days after which events leave the log; 0 keeps them for ever"),
            Setting(
                .retention, "keep-questions-days", \.keepQuestionsDays, .number(0...36_500),
                "days after which resolved questions that decide nothing any more go; 0 keeps them for ever"),
            Setting(
                .retention, "keep-notifications-days", \.keepNotificationsDays, .number(0...36_500),
                "days after which stores' notices go that still wait for their person or to be usable; 0 keeps them for ever"
            ),
            Setting(.logging, "log-level", \.logLevel, .choice, "least important lines to write"),
            Setting(
                .logging, "access-log", \.accessLog, .choice,
                "which finished requests get a line; failures are those answered 500 or above"),
        ]
}
