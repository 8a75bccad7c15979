import Consent
import Crypto
import HTTPServer
import Store
import Synchronization

/// Tells who sent a request. Its shelves of credentials and of tokens are shared by all requests, each guarded by a mutex.
final class Authenticator: Sendable {
    private let store: any StoreReading
    private let signingKeys: SigningKeys
    private let now: @Sendable () -> ContinuousClock.Instant
    private let shelf = Mutex(CredentialShelf())
    private let proven = Mutex(ProvenTokens())

    init(
        store: any StoreReading, signingKeys: SigningKeys, now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.store = store
        self.signingKeys = signingKeys
        self.now = now
    }

    /// The caller that the `Authorization` header proves; 401 for anything but a good key or token.
    func caller(of headers: Headers) async throws(Problem) -> Caller {
        guard let field = headers.bytes(of: "Authorization") else {
            throw .unauthenticated("Send a key as Authorization: Bearer …")
        }
        guard headers.occurrences(of: "Authorization") == 1 else {
            throw .header("Authorization", "The header must not be repeated.")
        }
        guard let token = Self.bearer(field) else {
            throw .unauthenticated("The header holds no key of this service.")
        }
        if let text = TokenText(token) { return try await caller(of: text, token) }
        guard let text = KeyText(token) else {
            throw .unauthenticated("The header holds no key of this service.")
        }
        guard let credential = try await credential(text.id), try Self.isProven(text, credential) else {
            throw .unauthenticated("The key is not valid.")
        }
        let key = credential.key
        return Caller(key: key.id, role: key.role, app: key.app, rateLimit: key.rateLimit)
    }

    /// The caller of a token: signed by a published key, not past its end by the database's clock, and made by a key that is in
    /// force.
    private func caller(of text: TokenText, _ token: ArraySlice<UInt8>) async throws(Problem) -> Caller {
        guard let (key, at) = try await signingKeys.verifying(text.keyID) else {
            throw .invalidToken("The token is not valid.")
        }
        let claims = try claims(of: text, token, key, at)
        let rest = claims.grant.expiresAt &* 1_000_000 &- at.microseconds
        guard rest > 0 else { throw .invalidToken("The token has expired.") }
        guard let maker = try await credential(claims.key)?.key, maker.revokedAt == nil, maker.role != .viewer,
            maker.app.map({ $0 == claims.app }) ?? true
        else { throw .invalidToken("The key that made the token is not in force.") }
        return Caller(key: claims.key, app: claims.app, claims.grant, deadline: now() + .microseconds(rest))
    }

    private func claims(
        of text: TokenText, _ token: ArraySlice<UInt8>, _ key: ES256Key, _ at: Instant
    ) throws(Problem) -> TokenClaims {
        let digest: Digest
        do throws(CryptoError) {
            var hash = try SHA256()
            token.withUnsafeBytes { hash.update($0) }
            digest = try hash.finish()
        } catch {
            throw Problem(.internalError)
        }
        if let claims = proven.withLock({ $0[digest] }) { return claims }
        guard let claims = text.proven(by: key) else { throw .invalidToken("The token is not valid.") }
        proven.withLock { $0.put(claims, for: digest, at: at.microseconds / 1_000_000) }
        return claims
    }

    /// Whether a key that was good is still there and in force; yes while that cannot be learnt.
    func isInForce(_ id: Identifier) async -> Bool {
        do throws(Problem) {
            return try await credential(id).map { $0.key.revokedAt == nil } ?? false
        } catch {
            return true
        }
    }

    /// A key was revoked through this instance: it must not be used again.
    func forget(_ id: Identifier) {
        let now = now()
        shelf.withLock { $0.forget(id, at: now) }
    }

    private func credential(_ id: Identifier) async throws(Problem) -> Credential? {
        switch shelf.withLock({ $0.advice(on: id, at: now()) }) {
        case .use(let credential): return credential
        case .wait: throw Problem(.overloaded, "Too many unknown keys are being tried.", retryAfter: 1)
        case .lookUp: break
        }
        // Its age counts from before the look-up: what is read may be as old as that.
        let asked = now()
        do {
            let credential = try await store.credential(id)
            shelf.withLock { $0.put(credential, for: id, at: asked) }
            return credential
        } catch {
            shelf.withLock { $0.forget(id) }
            throw Problem(error)
        }
    }

    private static func isProven(_ text: KeyText, _ credential: Credential) throws(Problem) -> Bool {
        do { return try proves(text, credential) } catch { throw Problem(.internalError) }
    }

    /// Whether the key's text holds the secret of a credential that is in force.
    private static func proves(_ text: KeyText, _ credential: Credential) throws(CryptoError) -> Bool {
        guard let wanted = Digest(credential.secretHash) else { return false }
        let isRight = try text.digest().matches(wanted)
        let isApps = text.app.elementsEqual((credential.key.app?.text ?? "").utf8)
        return isRight && isApps && credential.key.revokedAt == nil
    }

    /// What follows the scheme `Bearer`, in whichever case, and blanks.
    private static func bearer(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let scheme = "bearer".utf8
        guard field.count > scheme.count, zip(field, scheme).allSatisfy({ $0 | 0x20 == $1 }) else { return nil }
        let rest = field.dropFirst(scheme.count)
        guard rest.first == UInt8(ascii: " ") else { return nil }
        return rest.drop { $0 == UInt8(ascii: " ") }
    }
}

extension Problem {
    /// 401, with the challenge of RFC 6750 §3.
    fileprivate static func invalidToken(_ detail: String) -> Problem {
        var problem = Problem(.unauthenticated, detail)
        problem.extraHeaders = [HeaderField("WWW-Authenticate", "Bearer realm=\"assent\", error=\"invalid_token\"")]
        return problem
    }

    /// 401, with the challenge that RFC 9110 demands.
    static func unauthenticated(_ detail: String) -> Problem {
        var problem = Problem(.unauthenticated, detail)
        problem.extraHeaders = [HeaderField("WWW-Authenticate", "Bearer realm=\"assent\"")]
        return problem
    }
}
