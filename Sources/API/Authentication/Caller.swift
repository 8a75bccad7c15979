import Consent

/// Who sent a request, as far as a key tells.
struct Caller: Sendable, Hashable {
    let key: Identifier
    let role: Role
    /// Nil exactly for admins.
    let app: AppID?
    /// Its own limit; nil: the operator's for all keys.
    let rateLimit: RateLimit?
}
