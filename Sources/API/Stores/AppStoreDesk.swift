package import AppStore
package import Consent
import Synchronization

/// Where what the App Store signed is judged: a verifier, and the threads it runs on. Immutable but for counters.
package final class AppStoreDesk: Sendable {
    /// What becomes of a notification.
    package enum Judged: Sendable, Equatable {
        /// It can never verify: nothing of it is kept.
        case refused(TokenRefusal)
        case genuine(StoreNotice)
    }

    /// At once being judged or waiting for it.
    private let underWay = Atomic<Int>(0)
    private let threads: VerificationThreads
    package let verifier: AppStoreVerifier

    /// - Parameters:
    ///   - threads: how many tokens are judged at once.
    ///   - queue: how many more may wait.
    package init(_ verifier: AppStoreVerifier, threads: Int, queue: Int) {
        self.verifier = verifier
        self.threads = VerificationThreads(threads: threads, queue: queue)
    }

    /// How many tokens are being judged, or wait for it.
    package var depth: Int { underWay.load(ordering: .relaxed) }

    /// Judges the text of a `signedPayload` that came about this app; `now` is when it came.
    package func judge(
        notification token: String, for app: App, at now: Instant
    ) async throws(VerificationThreads.Overloaded) -> Judged {
        let registrations = AppStoreRegistration.all(of: app.settings)
        let judgement = try await run { [verifier] in
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
        return try await run { [verifier] in
            verifier.judge(appTransaction: token, registrations: registrations, now: now.microseconds)
        }
    }

    /// Ends the threads once what waits is done; blocks.
    package func stop() {
        threads.stop()
    }

    private func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value
    ) async throws(VerificationThreads.Overloaded) -> Value {
        underWay.wrappingAdd(1, ordering: .relaxed)
        defer { underWay.wrappingSubtract(1, ordering: .relaxed) }
        return try await threads.run(work)
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
