import Consent
import Synchronization

/// The allowances of everybody who has lately used some of a limit; each shard's mutex owns its part of the table.
///
/// Only whole allowances are forgotten, and those say nothing: so no flood of strangers gives anybody, or takes from anybody, what
/// they have left. Where a shard is full of allowances in use, those it does not know share one among them until it has room:
/// memory stays bounded, the limit holds, and who was known before notices nothing. To fill the table a flood must come from as
/// many subjects as it has places, each again whenever its allowance is about to be whole.
final class Allowances<Subject: Hashable & Sendable>: Sendable {
    private struct Part {
        var known: [Subject: Allowance] = [:]
        /// Of all who are not known while there is no room.
        var shared = Allowance.untouched
        /// The latest moment there was: threads come in another order than they read the clock in.
        var latest = Int64.min
        /// The next moment at which it is worth looking for room.
        var looksAgain = Int64.min
    }

    private final class Shard: Sendable {
        let part = Mutex(Part())
    }

    /// Microseconds between looks for room in one shard; each goes through all of it.
    private static var pause: Int64 { 100_000 }

    private let shards: [Shard]
    private let capacity: Int

    /// - Parameters:
    ///   - capacity: how many subjects are known at once at most.
    ///   - shards: in how many parts, each of which one thread at a time may use.
    init(capacity: Int = 65_536, shards: Int = 16) {
        self.shards = (0..<shards).map { _ in Shard() }
        self.capacity = max(1, capacity / shards)
    }

    /// Uses one request of the subject's up, where it has one left.
    func take(_ subject: Subject, _ limit: RateLimit, at now: Int64) -> Standing {
        shard(of: subject).part.withLock { part in
            let now = max(now, part.latest)
            part.latest = now
            guard part.known[subject] != nil || hasRoom(&part, at: now) else {
                return part.shared.take(limit, at: now)
            }
            return part.known[subject, default: .untouched].take(limit, at: now)
        }
    }

    /// How the subject stands, with nothing used up by asking; strangers have used nothing.
    func standing(_ subject: Subject, _ limit: RateLimit, at now: Int64) -> Standing {
        let allowance = shard(of: subject).part.withLock { $0.known[subject] } ?? .untouched
        return allowance.standing(limit, at: now)
    }

    /// How many subjects are known.
    var count: Int { shards.reduce(0) { $0 + $1.part.withLock { $0.known.count } } }

    private func hasRoom(_ part: inout Part, at now: Int64) -> Bool {
        if part.known.count < capacity { return true }
        guard now >= part.looksAgain else { return false }
        part.looksAgain = now + Self.pause
        part.known = part.known.filter { !$0.value.isWhole(at: now) }
        return part.known.count < capacity
    }

    private func shard(of subject: Subject) -> Shard {
        shards[Int(UInt(bitPattern: subject.hashValue) % UInt(shards.count))]
    }
}
