package import AppStore
package import Consent

/// Where what the App Store signed is judged: a verifier, and the threads it runs on.
package final class AppStoreDesk: Sendable {
    /// What becomes of a notification.
    package enum Judged: Sendable, Equatable {
        /// It can never verify: nothing of it is kept.
        case refused(TokenRefusal)
        case genuine(StoreNotice)
    }

    private let threads: VerificationThreads
    package let verifier: AppStoreVerifier

    /// - Parameters:
    ///   - threads: how many tokens are judged at once.
    ///   - queue: how many more may wait.
    package init(_ verifier: AppStoreVerifier, threads: Int, queue: Int) {
        self.verifier = verifier
        self.threads = VerificationThreads(threads: threads, queue: queue)
    }

    /// How many tokens wait to be judged.
    package var waiting: Int { threads.waiting }

    /// Judges the text of a `signedPayload` that came about this app; `now` is when it came.
    package func judge(
        notification token: String, for app: App, at now: Instant
    ) async throws(VerificationThreads.Overloaded) -> Judged {
        let registrations = AppStoreRegistration.all(of: app.settings)
        let judgement = try await threads.run { [verifier] in
            verifier.judge(notification: token, registrations: registrations, now: now.microseconds)
        }
        switch judgement {
        case .refused(let refusal): return .refused(refusal)
        case .quarantined(let record, let objection):
            return .genuine(StoreNotice(record, .quarantine(Quarantine(objection)), token))
        case .accepted(let notification): return .genuine(StoreNotice(notification, token))
        }
    }

    /// Judges the text of a `signedAppTransactionInfo` that a service hands in about this app.
    package func judge(
        appTransaction token: String, for app: App, at now: Instant
    ) async throws(VerificationThreads.Overloaded) -> AppTransactionJudgement {
        let registrations = AppStoreRegistration.all(of: app.settings)
        return try await threads.run { [verifier] in
            verifier.judge(appTransaction: token, registrations: registrations, now: now.microseconds)
        }
    }
}

extension AppStoreRegistration {
    /// What an app is registered as with the store: nothing, where it names no bundle.
    static func all(of settings: AppSettings) -> [AppStoreRegistration] {
        guard let bundleID = settings.bundleID else { return [] }
        return [
            AppStoreRegistration(
                bundleID: bundleID, appAppleID: settings.appAppleID,
                environments: Set(settings.environments.map(AppStoreEnvironment.init)))
        ]
    }
}

extension AppStoreEnvironment {
    init(_ environment: OriginalVersion.Environment) {
        switch environment {
        case .production: self = .production
        case .sandbox: self = .sandbox
        }
    }
}

extension OriginalVersion.Environment {
    init(_ environment: AppStoreEnvironment) {
        switch environment {
        case .production: self = .production
        case .sandbox: self = .sandbox
        }
    }
}
