package import Consent
import HTTPServer

/// Counts requests against the limits that apply to them, in this process; immutable but for its tables, which lock themselves.
package final class RateLimits: Sendable {
    /// What the operator set; nil: no limit.
    package struct Settings: Sendable {
        package var source: RateLimit?
        /// Of keys that have no limit of their own.
        package var key: RateLimit?
        /// Of all tokens of one person or guardian.
        package var token: RateLimit?
        package var proxies = Proxies.none

        package init() {}
    }

    private let settings: Settings
    private let time: RateTime
    private let sources = Allowances<Source>()
    private let keys = Allowances<Identifier>()
    private let tokens = Allowances<Identifier>()
    /// What a store is said to have signed.
    let failures: Failures
    /// A look at a ticket is a transaction.
    let tickets: Failures

    init(_ settings: Settings, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.settings = settings
        time = RateTime(now)
        failures = Failures(.failures, RateLimit(trustedRequests: 20, seconds: 60), settings.proxies, time)
        tickets = Failures(.tickets, RateLimit(trustedRequests: 1_000, seconds: 10), settings.proxies, time)
    }

    /// Counts a request before anybody knows whose it is.
    func charge(sourceOf head: RequestHead, _ standings: inout Standings) throws(Problem) {
        guard let limit = settings.source else { return }
        try charge(.source, sources, settings.proxies.source(of: head), limit, &standings)
    }

    /// Counts a request of a caller whose key or token is good.
    func charge(_ caller: Caller, _ standings: inout Standings) throws(Problem) {
        switch caller.proof {
        case .key:
            guard let limit = caller.rateLimit ?? settings.key else { return }
            try charge(.key, keys, caller.key, limit, &standings)
        case .token:
            guard let limit = settings.token else { return }
            let subject: Identifier
            do { subject = try caller.streamHolder() } catch { throw Problem(.internalError) }
            try charge(.token, tokens, subject, limit, &standings)
        }
    }

    /// How many subjects each limit knows of.
    package var subjects: [(policy: RatePolicy, count: Int)] {
        [(.source, sources.count), (.key, keys.count), (.token, tokens.count)]
            + [failures, tickets].map { ($0.policy, $0.subjects) }
    }

    private func charge<Subject>(
        _ policy: RatePolicy, _ allowances: Allowances<Subject>, _ subject: Subject, _ limit: RateLimit,
        _ standings: inout Standings
    ) throws(Problem) {
        let standing = allowances.take(subject, limit, at: time.moment)
        standings.append(policy, standing)
        guard standing.isRefused else { return }
        throw .quotaExceeded(policy, standing)
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
