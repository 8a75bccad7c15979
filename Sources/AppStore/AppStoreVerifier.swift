/// Judges what the App Store signs, by the operator's roots; any thread, whose time it takes.
///
/// A token whose certificates were not seen before costs about 2 ms of CPU, another about 0.1 ms: run it through
/// `VerificationThreads`, never on the cooperative pool.
package final class AppStoreVerifier: Sendable {
    /// How far ahead of `now` a token may be dated, in microseconds: clocks differ.
    package static let tolerance: Int64 = 5 * 60 * 1_000_000

    package let roots: TrustedRoots
    private let chains: VerifiedChains
    private let dates: DateRule

    /// - Parameters:
    ///   - dates: at which moment certificates must be valid.
    ///   - cachedChains: how many verified pairs of certificates are remembered.
    package init(roots: TrustedRoots, dates: DateRule = .signing, cachedChains: Int = 32) {
        self.roots = roots
        self.dates = dates
        chains = VerifiedChains(capacity: cachedChains)
    }

    /// What becomes of the text of a body's `signedPayload`.
    ///
    /// - Parameters:
    ///   - registrations: of the app that the notification was sent to.
    ///   - now: when it was received, in microseconds since the Unix epoch.
    package func judge(
        notification token: String, registrations: [AppStoreRegistration], now: Int64
    ) -> NotificationJudgement {
        .refused(TokenRefusal(.tokenMalformed, ""))
    }

    /// What becomes of the text of a `signedAppTransactionInfo` that a service hands in.
    package func judge(
        appTransaction token: String, registrations: [AppStoreRegistration], now: Int64
    ) -> AppTransactionJudgement {
        .refused(TokenRefusal(.tokenMalformed, ""))
    }
}
