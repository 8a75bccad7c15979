import Consent
import Crypto

/// Who sent a request, as far as a key or a browser's token tells.
struct Caller: Sendable, Hashable {
    /// What was shown.
    enum Proof: Sendable, Hashable {
        case key(Role)
        /// `deadline`: when it ends, on this process's clock.
        indirect case token(TokenGrant, deadline: ContinuousClock.Instant)
    }

    /// The key, or the one that made the token.
    let key: Identifier
    /// Nil exactly for admins' keys.
    let app: AppID?
    let proof: Proof
    /// The key's own limit; nil: the operator's for all keys, or for all tokens.
    let rateLimit: RateLimit?

    init(key: Identifier, role: Role, app: AppID?, rateLimit: RateLimit? = nil) {
        self.key = key
        self.app = app
        proof = .key(role)
        self.rateLimit = rateLimit
    }

    init(key: Identifier, app: AppID, _ grant: TokenGrant, deadline: ContinuousClock.Instant) {
        self.key = key
        self.app = app
        proof = .token(grant, deadline: deadline)
        rateLimit = nil
    }

    /// A key's role; tokens have none.
    var role: Role? {
        switch proof {
        case .key(let role): role
        case .token: nil
        }
    }

    /// What a token allows; nil for a key.
    var grant: TokenGrant? {
        switch proof {
        case .key: nil
        case .token(let grant, deadline: _): grant
        }
    }

    /// From when on nothing is told any more; nil: while the key is in force.
    var deadline: ContinuousClock.Instant? {
        switch proof {
        case .key: nil
        case .token(_, let deadline): deadline
        }
    }

    /// Whose idempotency keys are whose: a rotated key keeps its role's, another token of somebody keeps theirs. A subject's id
    /// does not stand in it, since an erased person's must be nowhere.
    func idempotencyScope() throws(CryptoError) -> String {
        switch proof {
        case .key(let role): role.rawValue
        case .token(let grant, deadline: _):
            "\(grant.subject.kind.rawValue)-token:\(try grant.subject.digest().hexadecimal)"
        }
    }

    /// Whose requests and open streams are counted together: a key's, or those of one subject's tokens.
    func streamHolder() throws(CryptoError) -> Identifier {
        switch proof {
        case .key: return key
        case .token(let grant, deadline: _):
            let bytes = try grant.subject.digest(in: app).bytes
            func half(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
            return Identifier(high: half(bytes[..<8]), low: half(bytes[8..<16]))
        }
    }
}

extension TokenSubject {
    /// Names the subject within an app without saying who it is.
    fileprivate func digest(in app: AppID? = nil) throws(CryptoError) -> Digest {
        try SHA256.hash(utf8: "\(app?.text ?? "")\u{1F}\(kind.rawValue)\u{1F}\(id.text)")
    }
}

extension Digest {
    fileprivate var hexadecimal: String { Hexadecimal.encode(bytes) }
}
