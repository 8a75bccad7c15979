import Crypto
import JSON

/// Judges what the App Store signs, by the operator's roots. Any thread may ask, and its time is taken; the only state is the
/// cache of verified chains, which has its own lock.
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

    /// How many chains are remembered now.
    package var cachedChains: Int { chains.count }

    /// How often a token's certificates were known, and how often their chain had to be verified, since the start.
    package var chainsFound: (hits: Int, misses: Int) { chains.found }

    /// Whether a chain is remembered; to be asked without making it the latest used.
    func remembers(_ key: Digest) -> Bool { chains.contains(key) }

    /// What becomes of the text of a body's `signedPayload`.
    ///
    /// - Parameters:
    ///   - registrations: of the app that the notification was sent to.
    ///   - now: when it was received, in microseconds since the Unix epoch.
    package func judge(
        notification text: String, registrations: [AppStoreRegistration], now: Int64
    ) -> NotificationJudgement {
        let draft: NotificationDraft
        do throws(TokenRefusal) {
            let token = try verify(text)
            draft = try NotificationDraft(token.payload)
            try check([draft.record.signedDate], by: token.chain, now: now)
            try draft.refuseUnsigned()
        } catch {
            return .refused(error)
        }
        do throws(Objection) {
            return .accepted(try accept(draft, registrations, now: now))
        } catch {
            return .quarantined(draft.record, error)
        }
    }

    /// What becomes of the text of a `signedAppTransactionInfo` that a service hands in.
    package func judge(
        appTransaction text: String, registrations: [AppStoreRegistration], now: Int64
    ) -> AppTransactionJudgement {
        let draft: AppTransactionDraft
        do throws(TokenRefusal) {
            draft = try verifyAppTransaction(text, now: now)
        } catch {
            return .refused(error)
        }
        do throws(Objection) {
            return .accepted(try draft.accept(registrations, now: now))
        } catch {
            return .unusable(error)
        }
    }

    private func accept(
        _ draft: NotificationDraft, _ registrations: [AppStoreRegistration], now: Int64
    ) throws(Objection) -> AppStoreNotification {
        let (type, identity) = try draft.essentials()
        let match = try identity.match(registrations)
        guard draft.record.signedDate <= now &+ Self.tolerance else {
            throw Objection(
                .dateAhead, "It was signed more than five minutes from now.", field: "/signedDate",
                seen: RFC3339.write(draft.record.signedDate))
        }
        let isRescission = type.utf8.elementsEqual(AppStoreNotification.rescindConsent.utf8)
        let outer = AppStoreRegistration(
            bundleID: match.bundleID, appAppleID: identity.appAppleIDText, environments: [match.environment])
        return AppStoreNotification(
            record: draft.record, type: type, environment: match.environment, bundleID: match.bundleID,
            rescinded: isRescission ? try inner(try draft.innerToken(), of: outer, now: now) : nil)
    }

    /// The app transaction inside a notification, verified on its own and about the very same app and environment.
    private func inner(
        _ text: String, of outer: AppStoreRegistration, now: Int64
    ) throws(Objection) -> AppTransaction {
        let path = "/appData/\(AppTransactionDraft.member)"
        let draft: AppTransactionDraft
        do throws(TokenRefusal) {
            draft = try verifyAppTransaction(text, now: now)
        } catch {
            throw Objection(
                .innerTokenRefused, "The app transaction inside does not verify. \(error.detail)", field: path,
                seen: error.reason.rawValue, inner: error)
        }
        do throws(Objection) {
            return try draft.accept([outer], now: now)
        } catch {
            throw Objection(
                .innerTokenMismatch,
                "The app transaction inside is incomplete, or not about the notification's app and environment.",
                field: path + (error.field ?? ""), expected: error.expected, seen: error.seen)
        }
    }

    private func verifyAppTransaction(_ text: String, now: Int64) throws(TokenRefusal) -> AppTransactionDraft {
        let token = try verify(text)
        let draft = try AppTransactionDraft(token.payload)
        try check(draft.signingDates, by: token.chain, now: now)
        try draft.refuseUnsigned()
        return draft
    }

    /// Structure, chain and signature; nothing of the payload is looked at before all three hold.
    private func verify(_ text: String) throws(TokenRefusal) -> VerifiedToken {
        let token = try Token(text)
        let chain = try chain(of: token.header)
        guard token.signed.withUnsafeBytes({ chain.key.verifies(token.signature, of: $0) }) else {
            throw TokenRefusal(.signatureInvalid, "The leaf certificate's key did not sign the token.")
        }
        return VerifiedToken(payload: token.payload, chain: chain)
    }

    private func chain(of header: TokenHeader) throws(TokenRefusal) -> VerifiedChain {
        let key = VerifiedChains.key(of: header)
        if let key, let chain = chains.chain(key) { return chain }
        let chain = try ChainRules.verify(header, by: roots.anchors)
        if let key { chains.keep(chain, as: key) }
        return chain
    }

    private func check(_ signingDates: [Int64], by chain: VerifiedChain, now: Int64) throws(TokenRefusal) {
        switch dates {
        case .signing: for date in signingDates { try chain.check(at: date) }
        case .now: try chain.check(at: now)
        }
    }
}
