package import Consent
import HTTPServer

/// Counts requests against the limits that apply to them, in this process; immutable but for its tables, which lock themselves.
package final class RateLimits: Sendable {
    /// What the operator set; nil: no limit.
    package struct Settings: Sendable {
        package var source: RateLimit?
        /// Of keys that have no limit of their own.
        package var key: RateLimit?
        package var proxies = Proxies.none

        package init() {}
    }

    /// What may fail to verify, from one source.
    static let failures = RateLimit(trustedRequests: 20, seconds: 60)

    private let settings: Settings
    private let now: @Sendable () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant
    private let sources = Allowances<Source>()
    private let keys = Allowances<Identifier>()
    private let failing = Allowances<Source>()

    init(_ settings: Settings, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.settings = settings
        self.now = now
        start = now()
    }

    /// Counts a request before anybody knows whose it is.
    func charge(sourceOf head: RequestHead, _ standings: inout Standings) throws(Problem) {
        guard let limit = settings.source else { return }
        try charge(.source, sources, settings.proxies.source(of: head), limit, &standings)
    }

    /// Counts a request of a caller whose key is good.
    func charge(_ caller: Caller, _ standings: inout Standings) throws(Problem) {
        guard let limit = caller.rateLimit ?? settings.key else { return }
        try charge(.key, keys, caller.key, limit, &standings)
    }

    /// Counts something of the request that did not verify.
    func fail(_ head: RequestHead) -> Standing {
        failing.take(settings.proxies.source(of: head), Self.failures, at: moment)
    }

    /// Whether the next thing of this source's that does not verify will be one too many.
    func hasFailedOut(_ head: RequestHead) -> Bool {
        failing.standing(settings.proxies.source(of: head), Self.failures, at: moment).remaining == 0
    }

    /// How many subjects each limit knows of.
    package var subjects: [(policy: RatePolicy, count: Int)] {
        [(.source, sources.count), (.key, keys.count), (.failures, failing.count)]
    }

    private func charge<Subject>(
        _ policy: RatePolicy, _ allowances: Allowances<Subject>, _ subject: Subject, _ limit: RateLimit,
        _ standings: inout Standings
    ) throws(Problem) {
        let standing = allowances.take(subject, limit, at: moment)
        standings.append(policy, standing)
        guard standing.isRefused else { return }
        throw .quotaExceeded(policy, standing)
    }

    /// Microseconds since this began to count.
    private var moment: Int64 {
        let (seconds, attoseconds) = (now() - start).components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}

extension Problem {
    /// 429: a limit is used up.
    static func quotaExceeded(_ policy: RatePolicy, _ standing: Standing) -> Problem {
        let (limit, seconds) = (standing.limit, standing.growsInSeconds)
        var problem = Problem(
            .quotaExceeded, "At most \(limit.requests) requests in \(limit.seconds) seconds are taken.",
            retryAfter: seconds)
        problem.violatedPolicies = [policy]
        return problem
    }
}
