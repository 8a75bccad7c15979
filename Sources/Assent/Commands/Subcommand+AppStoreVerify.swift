import AppStore

extension Subcommand {
    static let appStoreVerify = Subcommand(
        "app-store", "verify", summary: "Explain step by step whether a signed text of the App Store verifies.",
        details: """
            <file> holds one signed notification or app transaction, bare or as the body that carries it; with --json any number,
            one a line, and one line of JSON answers each. Nothing is stored and no database is needed. Without --bundle-id whom it
            is about is taken from the token. Exit 1 where a server with these settings would not take it.
            """,
        operands: ["file"],
        options: [
            Option("bundle-id", "id", "the app it should be about"),
            Option("app-apple-id", "digits", "the app's App Store id, for production"),
            Option("environment", "production|sandbox", repeats: true, "where the app is; both where none is named"),
            Option("json", nil, "judge every line and answer in JSON"),
        ],
        settings: Setting.storesTable,
        run: { invocation, surroundings in
            let registration: AppStoreRegistration?
            switch invocation.appStoreRegistration {
            case .success(let found): registration = found
            case .failure(let fault): return invocation.complain(fault.sentence, surroundings)
            }
            do throws(StartFailure) {
                let configuration = invocation.storesConfiguration(surroundings)
                guard let roots = try TrustedRoots.read(configuration.appStoreRoots) else {
                    throw .configuration("--app-store-root (ASSENT_APP_STORE_ROOTS) is needed to verify anything")
                }
                let path = invocation.operands[0]
                guard let bytes = Files.read(path) else {
                    throw .failed("\(path) cannot be read, or is larger than 16 MiB")
                }
                let tokens = SignedTexts.read(bytes)
                guard !tokens.isEmpty, invocation.has("json") || tokens.count == 1 else {
                    throw .failed("\(path) must hold one signed text; it has \(tokens.count) lines (see --json)")
                }
                let verifier = AppStoreVerifier(roots: roots, dates: configuration.appStoreDates)
                var areTaken = true
                for token in tokens {
                    let inspection = TokenInspection(token)
                    let verdict = TokenVerdict(
                        token, inspection, verifier, registration, now: WallClock.microseconds)
                    areTaken = areTaken && verdict.isTaken
                    if invocation.has("json") {
                        surroundings.console.say(String(decoding: verdict.json, as: UTF8.self))
                        continue
                    }
                    let explanation = TokenExplanation(
                        inspection, verdict, isJudgedByItself: registration == nil)
                    for claim in explanation.claims { surroundings.console.say(claim) }
                    for finding in explanation.findings { surroundings.console.say(finding.line) }
                }
                return areTaken ? .success : .failure
            } catch {
                surroundings.console.complain("assent: \(error.sentence)")
                return error.exitCode
            }
        })
}

/// What is wrong with a registration given by flags.
private struct RegistrationFault: Error {
    let sentence: String
}

extension Invocation {
    /// The app named by `--bundle-id`, `--app-apple-id` and `--environment`; nil without the first.
    fileprivate var appStoreRegistration: Result<AppStoreRegistration?, RegistrationFault> {
        var environments: Set<AppStoreEnvironment> = []
        for name in values("environment") {
            switch name {
            case "production": environments.insert(.production)
            case "sandbox": environments.insert(.sandbox)
            default: return .failure(RegistrationFault(sentence: "--environment must be production or sandbox"))
            }
        }
        guard let bundleID = value("bundle-id") else {
            guard value("app-apple-id") == nil, environments.isEmpty else {
                return .failure(RegistrationFault(sentence: "--app-apple-id and --environment need --bundle-id"))
            }
            return .success(nil)
        }
        return .success(
            AppStoreRegistration(
                bundleID: bundleID, appAppleID: value("app-apple-id"),
                environments: environments.isEmpty ? Set(AppStoreEnvironment.allCases) : environments))
    }
}
