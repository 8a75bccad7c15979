import Consent
import Store

/// Credentials held in memory, and when they must be looked up again; a value, judged by the times it is given.
///
/// A credential is used for at most three seconds, so that a revocation holds everywhere within five. Halfway through,
/// one request is asked to look it up again while the others still use it. Ids nobody knows are remembered too, and
/// new look-ups of ids that were never good are rationed: random ids can neither fill memory nor reach the database
/// faster than the ration.
struct CredentialShelf: Sendable {
    /// What to do about an id.
    enum Advice: Sendable {
        /// The credential, or nil where there is none with this id.
        case use(Credential?)
        /// Look it up, then `put` it.
        case lookUp
        /// Too many unknown ids come in; refuse for a moment.
        case wait
    }

    static let renewalAge = Duration.milliseconds(1_500)
    static let greatestAge = Duration.seconds(3)
    static let unknownAge = Duration.seconds(1)
    /// How many of each kind are held.
    static let capacity = 8_192
    /// Look-ups of ids not known to be good: so many at once, and so many a second.
    static let burst = 500.0
    static let perSecond = 250.0

    private struct Held {
        let credential: Credential
        let since: ContinuousClock.Instant
        var isRenewing = false
    }

    private var known: [Identifier: Held] = [:]
    private var unknown: [Identifier: ContinuousClock.Instant] = [:]
    private var ration = burst
    private var rationedAt: ContinuousClock.Instant?
    /// When something was last known to have changed, about any id: what was asked for until then may say what held before.
    private var changedAt: ContinuousClock.Instant?

    mutating func advice(on id: Identifier, at now: ContinuousClock.Instant) -> Advice {
        if let held = known[id] {
            let age = now - held.since
            if age < Self.renewalAge || (held.isRenewing && age < Self.greatestAge) { return .use(held.credential) }
            known[id]?.isRenewing = true
            return .lookUp
        }
        if let since = unknown[id], now - since < Self.unknownAge { return .use(nil) }
        return takeRation(at: now) ? .lookUp : .wait
    }

    /// - Parameter now: when it was asked for.
    mutating func put(_ credential: Credential?, for id: Identifier, at now: ContinuousClock.Instant) {
        if let changedAt, now <= changedAt {
            known[id]?.isRenewing = false
            return
        }
        guard let credential else {
            known[id] = nil
            if unknown.count >= Self.capacity { unknown.removeAll(keepingCapacity: true) }
            unknown[id] = now
            return
        }
        unknown[id] = nil
        if known.count >= Self.capacity, known[id] == nil {
            known = known.filter { now - $0.value.since < Self.greatestAge }
            if known.count >= Self.capacity { known.removeAll(keepingCapacity: true) }
        }
        known[id] = Held(credential: credential, since: now)
    }

    /// Forgets an id whose look-up failed.
    mutating func forget(_ id: Identifier) {
        known[id] = nil
        unknown[id] = nil
    }

    /// Forgets an id about which something changed, and whatever is still on its way from a look-up before that.
    mutating func forget(_ id: Identifier, at now: ContinuousClock.Instant) {
        forget(id)
        changedAt = now
    }

    /// How many ids are held, good and unknown.
    var count: Int { known.count + unknown.count }

    private mutating func takeRation(at now: ContinuousClock.Instant) -> Bool {
        if let rationedAt {
            let seconds = Double((now - rationedAt) / .milliseconds(1)) / 1_000
            ration = min(Self.burst, ration + seconds * Self.perSecond)
        }
        rationedAt = now
        guard ration >= 1 else { return false }
        ration -= 1
        return true
    }
}
