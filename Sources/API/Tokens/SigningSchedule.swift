package import Consent
package import Store

/// Which of the signing keys signs, which are published and when the next is due; a value, judged by the database's clock.
///
/// A key is published for ten minutes before it signs, so that whoever keeps the published keys for five knows it by then. It is
/// published until no token that it signed can live any more: it stopped signing when the next one began.
package struct SigningSchedule: Sendable {
    /// How long a token lives at most.
    package static let longestLife = 3_600
    /// How long a key is published before it signs.
    package static let leadSeconds = 600
    /// How long published keys may be kept by others.
    static let cacheSeconds = 300
    /// An instance takes a few seconds to hear that a key began to sign; this is plenty.
    private static let slackSeconds = 300

    /// What should be done about the keys.
    package enum Need: Sendable, Hashable {
        case nothing
        /// There is none: the first must sign at once.
        case first
        /// The newest grows old.
        case next
    }

    /// In the order in which they sign.
    let keys: [StoredSigningKey]
    let now: Instant

    package init(_ stored: StoredSigningKeys, now: Instant? = nil) {
        keys = stored.keys
        self.now = now ?? stored.now
    }

    /// The key that signs now.
    package var signing: StoredSigningKey? {
        keys.last { $0.signsFrom <= now } ?? keys.first
    }

    /// The keys that a token may be signed by, and those that soon sign.
    package var published: [StoredSigningKey] {
        let past = Int64(Self.longestLife + Self.slackSeconds)
        let successors = keys.dropFirst().map { Optional($0) } + [nil]
        return zip(keys, successors).filter { _, next in
            next.map { $0.signsFrom.adding(seconds: past) > now } ?? true
        }.map(\.0)
    }

    /// - Parameter days: how old the newest key may be when the next should sign; 0: as old as it gets.
    package func need(days: Int) -> Need {
        guard let newest = keys.last else { return .first }
        guard days > 0 else { return .nothing }
        let due = newest.signsFrom.adding(seconds: Int64(days) * 86_400 - Int64(Self.leadSeconds))
        return due <= now ? .next : .nothing
    }
}
