import Postgres

/// What the doctor asks a database about itself, in one round trip; nothing of ours is read.
struct DatabaseSurvey: Sendable {
    var version = ""
    var versionNumber = 0
    var inRecovery = false
    var fsync = ""
    var fullPageWrites = ""
    /// As the server, role or database sets it; our sessions raise it to `on` where it is weaker.
    var synchronousCommit = ""
    var maxConnections = 0
    /// How much of a failed statement's row the database writes into its log.
    var logErrorVerbosity = ""
    /// Whether it writes the values that statements come with into its log.
    var logsParameters = false
    /// The database's clock less the host's, in microseconds, give or take half a round trip.
    var clockSkew: Int64 = 0
    /// How the doctor's own session reached it, as every other will.
    var transport: Transport?

    private static let statement = Statement(
        "doctor_survey",
        """
        select current_setting('server_version'), current_setting('server_version_num')::int4, pg_is_in_recovery(),
               current_setting('fsync'), current_setting('full_page_writes'),
               (select reset_val from pg_settings where name = 'synchronous_commit'),
               current_setting('max_connections')::int4,
               current_setting('log_error_verbosity'),
               current_setting('log_parameter_max_length_on_error') <> '0'
                   or current_setting('log_parameter_max_length') <> '0'
                       and (current_setting('log_statement') in ('mod', 'all')
                           or current_setting('log_min_duration_statement') <> '-1'
                           or current_setting('log_min_duration_sample') <> '-1'
                           or current_setting('log_transaction_sample_rate') <> '0'),
               (extract(epoch from clock_timestamp()) * 1000000)::int8
        """)

    /// Blocks; for a thread that may.
    static func take(_ settings: ConnectionSettings) throws(DatabaseError) -> DatabaseSurvey {
        let connection = try Connection(settings)
        defer { connection.close() }
        var flight = Flight()
        flight.add(statement)
        let before = WallClock.microseconds
        let result = try connection.run(flight)
        let after = WallClock.microseconds
        var survey = DatabaseSurvey()
        survey.transport = connection.transport
        guard let row = result.first?[0] else { return survey }
        survey.version = try row.text(0)
        survey.versionNumber = Int(try row.int4(1))
        survey.inRecovery = try row.bool(2)
        survey.fsync = try row.text(3)
        survey.fullPageWrites = try row.text(4)
        survey.synchronousCommit = try row.text(5)
        survey.maxConnections = Int(try row.int4(6))
        survey.logErrorVerbosity = try row.text(7)
        survey.logsParameters = try row.bool(8)
        survey.clockSkew = try row.int8(9) - (before + (after - before) / 2)
        return survey
    }

    /// What of it matters, for a server that holds so many connections.
    func findings(connections: Int) -> [Finding] {
        [
            transportFinding,
            versionNumber >= 150_000
                ? .fine("PostgreSQL \(version)") : .bad("PostgreSQL \(version) is older than 15, the oldest supported"),
            inRecovery ? .bad("this is a standby: name the primary, or all hosts") : .fine("takes writes"),
            fsync == "on"
                ? .fine("fsync is on") : .bad("fsync is \(fsync): a crash of the machine loses what was acknowledged"),
            fullPageWrites == "on"
                ? .fine("full_page_writes is on")
                : .bad("full_page_writes is \(fullPageWrites): a crash of the machine may damage the data"),
            ["off", "local", "remote_write"].contains(synchronousCommit)
                ? .odd("synchronous_commit is \(synchronousCommit) here; the server's own sessions raise it to on")
                : .fine("synchronous_commit is \(synchronousCommit)"),
            maxConnections >= connections + 5
                ? .fine("max_connections is \(maxConnections); an instance holds \(connections)")
                : .bad("max_connections is \(maxConnections), too few for the \(connections) an instance holds"),
            logErrorVerbosity == "terse"
                ? .fine("log_error_verbosity is terse")
                : .odd(
                    "log_error_verbosity is \(logErrorVerbosity): the database's log may show a row that failed, with "
                        + "children's data; terse keeps them out"),
            logsParameters
                ? .odd(
                    "the database logs statements with their values, which are children's data; "
                        + "log_parameter_max_length and log_parameter_max_length_on_error 0 keep them out")
                : .fine("the database logs no statements' values"),
            abs(clockSkew) < 2_000_000
                ? .fine("the clocks of host and database agree within \(abs(clockSkew) / 1000) ms")
                : .odd(
                    "the host's clock differs from the database's by \(clockSkew / 1000) ms; the database's decides"),
        ]
    }

    private var transportFinding: Finding {
        switch transport {
        case .local: .fine("the connection does not leave the host")
        case .encrypted(let version, "verify-full"):
            .fine("the connection is encrypted by \(version), and the certificate is the host's")
        case .encrypted(let version, let mode):
            .odd(
                "the connection is encrypted by \(version), but sslmode=\(mode) does not check that the certificate is the "
                    + "host's; verify-full does")
        case .plain, nil: .odd("the connection is not encrypted; sslmode=verify-full with sslrootcert sees to it")
        }
    }
}
