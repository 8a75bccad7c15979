import AppStore
import Crypto
import Postgres

#if canImport(Glibc)
    import Glibc
#endif

/// Everything the doctor looks at, in the order it is shown.
struct Checkup: Sendable {
    let reading: ConfigurationReader.Reading
    let strangers: [(name: String, near: [String])]

    private var configuration: Configuration { reading.configuration }

    func findings() async -> [Finding] {
        var findings = configurationFindings() + [openFiles()]
        guard reading.faults.isEmpty, configuration.missingDatabase == nil else { return findings }
        // Opening it would make it: the doctor changes nothing.
        if configuration.embedded, !PrivateCluster.exists(in: configuration.dataDirectory) {
            return findings + [.fine("the start will make a database in \(configuration.dataDirectory)")]
        }
        do throws(StartFailure) {
            let access = try await DatabaseAccess.open(configuration)
            findings += await databaseFindings(access)
            await access.close()
        } catch {
            findings.append(.bad(error.sentence))
        }
        return findings
    }

    private func configurationFindings() -> [Finding] {
        var findings = reading.faults.map { Finding.bad($0.sentence) }
        if let missing = configuration.missingDatabase { findings.append(.bad(missing.sentence)) }
        findings += strangers.map { stranger in
            let hint = stranger.near.first.map { "; did you mean \($0)?" } ?? ""
            return .odd("\(stranger.name) is not a setting\(hint)")
        }
        for (setting, path) in [("--tls-cert", configuration.tlsCertificate), ("--tls-key", configuration.tlsKey)] {
            guard let path else { continue }
            findings.append(
                Files.read(path) == nil ? .bad("\(setting): \(path) cannot be read") : .fine("\(setting) can be read"))
        }
        findings += appStoreFindings()
        findings.append(secretFinding())
        do throws(StartFailure) {
            let resources = try Resources.find(configuration.resources)
            findings.append(
                Files.read(resources.contract) == nil
                    ? .bad("\(resources.contract) cannot be read")
                    : .fine("migrations and contract are in \(resources.folder)"))
        } catch {
            findings.append(.bad(error.sentence))
        }
        if findings.isEmpty { findings.append(.fine("the configuration is in order")) }
        return findings
    }

    private func appStoreFindings() -> [Finding] {
        do throws(StartFailure) {
            guard let roots = try TrustedRoots.read(configuration.appStoreRoots) else {
                return [
                    .odd(
                        "no root certificate of the App Store is named (--app-store-root): its notifications are answered 503"
                    )
                ]
            }
            let now = WallClock.microseconds
            return roots.roots.map { root in
                let sentence = "the App Store is trusted by \(root.subject), SHA-256 \(root.fingerprint)"
                return root.validity.contains(now) ? .fine(sentence) : .odd(sentence + ", which is not valid now")
            }
        } catch {
            return [.bad(error.sentence)]
        }
    }

    /// Makes no key where none is: the doctor changes nothing.
    private func secretFinding() -> Finding {
        let file = SecretBox.file(in: configuration.dataDirectory)
        if configuration.embedded, configuration.secretKeys.isEmpty, configuration.secretKeyFile == nil,
            !Files.exists(file.path)
        {
            return .fine("the start will make a secret key in \(file.path)")
        }
        do throws(StartFailure) {
            guard let box = try SecretBox.find(configuration) else {
                return .odd(
                    "no secret key is set (ASSENT_SECRET_KEY, --secret-key-file): tokens for browsers are answered 503")
            }
            let names = box.keyNames.map(Hexadecimal.encode)
            return .fine(
                "secrets are stored under the key \(names[0])"
                    + (names.count > 1 ? ", and opened also by " + names[1...].joined(separator: ", ") : ""))
        } catch {
            return .bad(error.sentence)
        }
    }

    private func openFiles() -> Finding {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return .odd("the limit on open files cannot be read")
        }
        let hard = Int(clamping: limit.rlim_max)
        return hard >= 4096
            ? .fine("up to \(hard) open files, about as many client connections")
            : .odd("only \(hard) open files, about as many client connections (ulimit -Hn, LimitNOFILE)")
    }

    private func databaseFindings(_ access: DatabaseAccess) async -> [Finding] {
        var findings: [Finding] = []
        do throws(DatabaseError) {
            let survey = try await Blocking.run { () throws(DatabaseError) in
                try DatabaseSurvey.take(access.connection)
            }
            findings.append(.fine("the database can be reached"))
            findings += survey.findings(
                connections: configuration.writeConnections + configuration.readConnections
                    + (configuration.listens ? 1 : 0))
        } catch {
            return [.bad(error.debugDescription)]
        }
        do throws(StartFailure) {
            let check = MigrationCheck(
                connection: access.connection, resources: try Resources.find(configuration.resources))
            findings.append(
                try await check.objection().map { .bad($0) } ?? .fine("the schema is up to date"))
        } catch {
            findings.append(.bad(error.sentence))
        }
        return findings
    }
}
