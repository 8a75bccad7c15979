import Workers

extension Configuration {
    /// What cannot hold together, whichever way each part was given.
    var contradictions: [ConfigurationFault] {
        var faults: [ConfigurationFault] = []
        if embedded, databaseURL != nil {
            faults.append(
                ConfigurationFault(
                    "--embedded and DATABASE_URL exclude each other: give the one you mean, unset the other")
            )
        }
        if (tlsCertificate == nil) != (tlsKey == nil) {
            let missing = tlsCertificate == nil ? "--tls-cert (ASSENT_TLS_CERT)" : "--tls-key (ASSENT_TLS_KEY)"
            faults.append(ConfigurationFault("TLS needs both its files: \(missing) is missing"))
        }
        if !secretKeys.isEmpty, secretKeyFile != nil {
            faults.append(
                ConfigurationFault(
                    "ASSENT_SECRET_KEY and --secret-key-file exclude each other: give the one you mean, unset the other"
                ))
        }
        if headTimeout > requestTimeout || bodyTimeout > requestTimeout {
            faults.append(
                ConfigurationFault("--head-timeout and --body-timeout must not be longer than --request-timeout"))
        }
        if keepQuestionsDays > 0, keepEventsDays == 0 || keepEventsDays > keepQuestionsDays {
            faults.append(
                ConfigurationFault(
                    "--keep-questions-days needs --keep-events-days, no longer than itself: events show their questions"
                )
            )
        }
        return faults
    }

    /// The same for retention, in seconds.
    var kept: Retention.Kept {
        func seconds(_ days: Int) -> Int? { days > 0 ? days * 86_400 : nil }
        return Retention.Kept(
            events: seconds(keepEventsDays), questions: seconds(keepQuestionsDays),
            notifications: seconds(keepNotificationsDays))
    }

    /// Why no database can be reached with it, where that is so. A lost variable must never look like an empty database.
    var missingDatabase: ConfigurationFault? {
        guard databaseURL == nil, !embedded else { return nil }
        return ConfigurationFault(
            "no database: set DATABASE_URL (or --database-url), or give --embedded for a private cluster")
    }
}
