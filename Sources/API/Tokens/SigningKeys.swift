package import Consent
package import Crypto
package import Store
import Synchronization

/// The keys that sign browsers' tokens, as this instance knows them: held for at most three seconds, as credentials are, so that
/// a key that is taken away is good for nothing within five. The mutex owns what is held.
///
/// The first key is made when the first token is; the next when the newest grows old and a token is made.
final class SigningKeys: Sendable {
    /// What was read, made usable.
    private struct Held {
        let stored: StoredSigningKeys
        let since: ContinuousClock.Instant
        let published: [Identifier: ES256Key]
        /// By id; opened when it first signs.
        var opened: (id: Identifier, key: ES256PrivateKey)?
    }

    private struct State {
        var held: Held?
        var isRenewing = false
        var askedAt: ContinuousClock.Instant?
    }

    private static let renewalAge = Duration.milliseconds(1_500)
    private static let greatestAge = Duration.seconds(3)
    /// A key nobody knows makes the keys be read again, but no more often than this: forged ones cost nothing.
    private static let strangerPause = Duration.milliseconds(250)

    private let store: any StoreReading
    private let secrets: SecretBox?
    private let days: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    /// - Parameter days: how old a key may be before the next signs; 0: as old as it gets.
    init(
        store: any StoreReading, secrets: SecretBox?, days: Int, now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.store = store
        self.secrets = secrets
        self.days = days
        self.now = now
    }

    /// The key that signs now, made if there is none, and the database's time.
    func signing() async throws(Problem) -> (id: Identifier, key: ES256PrivateKey, at: Instant) {
        guard let secrets else {
            throw Problem(
                .secretKeyNotConfigured, "Tokens are signed by a key that is stored under it.", retryAfter: 60)
        }
        var held = try await current()
        let need = SigningSchedule(held.stored, now: time(held)).need(days: days)
        if need != .nothing {
            try await add(after: held.stored.keys.last?.id, need == .first ? 0 : SigningSchedule.leadSeconds, secrets)
            held = try await read()
        }
        let at = time(held)
        guard let stored = SigningSchedule(held.stored, now: at).signing else { throw Problem(.internalError) }
        if let opened = held.opened, opened.id == stored.id { return (stored.id, opened.key, at) }
        let key = try Self.open(stored, secrets)
        state.withLock { $0.held?.opened = (stored.id, key) }
        return (stored.id, key, at)
    }

    /// The published key with this id, and the database's time; nil where there is none.
    func verifying(_ id: Identifier) async throws(Problem) -> (key: ES256Key, at: Instant)? {
        let held = try await current()
        if let key = held.published[id] { return (key, time(held)) }
        let asked = now()
        let mayAsk = state.withLock { state in
            guard let last = state.askedAt, asked - last < Self.strangerPause else { return true }
            return false
        }
        guard mayAsk else { return nil }
        let fresh = try await read()
        return fresh.published[id].map { ($0, time(fresh)) }
    }

    /// The database's time.
    func time() async throws(Problem) -> Instant { time(try await current()) }

    /// What is to be published, in the order in which they sign.
    func published() async throws(Problem) -> [StoredSigningKey] {
        let held = try await current()
        return SigningSchedule(held.stored, now: time(held)).published
    }

    private func time(_ held: Held) -> Instant {
        let age = max(.zero, now() - held.since)
        let microseconds = age.components.seconds * 1_000_000 + age.components.attoseconds / 1_000_000_000_000
        return Instant(microseconds: held.stored.now.microseconds &+ microseconds)
    }

    private func current() async throws(Problem) -> Held {
        let asked = now()
        let usable = state.withLock { state -> Held? in
            if let held = state.held {
                let age = asked - held.since
                if age < Self.renewalAge || (state.isRenewing && age < Self.greatestAge) { return held }
            }
            state.isRenewing = true
            return nil
        }
        if let usable { return usable }
        return try await read()
    }

    private func read() async throws(Problem) -> Held {
        let asked = now()
        state.withLock { $0.askedAt = asked }
        do throws(StoreFailure) {
            let stored = try await store.signingKeys()
            let known = state.withLock { $0.held }
            let published = SigningSchedule(stored).published
            var keys: [Identifier: ES256Key] = [:]
            for one in published { keys[one.id] = known?.published[one.id] ?? ES256Key(point: one.publicPoint) }
            // Its age counts from before it was asked for: what is read may be as old as that.
            let held = Held(stored: stored, since: asked, published: keys, opened: known?.opened)
            state.withLock { state in
                state.isRenewing = false
                if state.held.map({ $0.since <= asked }) ?? true { state.held = held }
            }
            return held
        } catch {
            state.withLock { $0.isRenewing = false }
            throw Problem(error)
        }
    }

    /// Another instance may add one at the same moment; then this one's is not there, and that one's is used.
    private func add(after last: Identifier?, _ lead: Int, _ secrets: SecretBox) async throws(Problem) {
        let fresh: NewSigningKey
        let at = try await time()
        do throws(CryptoError) {
            fresh = try NewSigningKey.make(after: last, leadSeconds: lead, at: at, secrets)
        } catch {
            throw Problem(.internalError)
        }
        do throws(StoreFailure) {
            _ = try await store.add(fresh)
        } catch {
            throw Problem(error)
        }
    }

    private static func open(_ stored: StoredSigningKey, _ secrets: SecretBox) throws(Problem) -> ES256PrivateKey {
        do throws(SecretBox.Fault) {
            if let key = ES256PrivateKey(der: try secrets.open(stored.sealedKey, for: .signingKey(stored.id))) {
                return key
            }
        } catch {
            guard error == .unknownKey else { throw Problem(.internalError) }
        }
        throw Problem(
            .secretKeyNotConfigured, "The key that signs was stored under a secret key that is not configured here.",
            retryAfter: 60)
    }
}

extension SecretBox.Context {
    /// A signing key is of no app.
    package static func signingKey(_ id: Identifier) -> SecretBox.Context {
        SecretBox.Context(purpose: "signing-key", app: "", id: id.text)
    }
}

extension NewSigningKey {
    /// A fresh key, sealed.
    package static func make(
        after last: Identifier?, leadSeconds: Int, replacesAll: Bool = false, at moment: Instant, _ secrets: SecretBox
    ) throws(CryptoError) -> NewSigningKey {
        let key = try ES256PrivateKey.generate()
        let id = Identifier(createdAt: moment, random: try RandomSource().word())
        return NewSigningKey(
            id: id, publicPoint: try key.publicPoint(),
            sealedKey: try secrets.seal(try key.der(), for: .signingKey(id)),
            follows: last, leadSeconds: leadSeconds, replacesAll: replacesAll)
    }
}
