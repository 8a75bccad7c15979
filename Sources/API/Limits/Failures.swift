import Consent
import HTTPServer

/// Counts what a source sends that turns out to be no good, whatever the operator set; what is good is never counted.
final class Failures: Sendable {
    let policy: RatePolicy
    private let limit: RateLimit
    private let proxies: Proxies
    private let time: RateTime
    private let sources = Allowances<Source>()

    init(_ policy: RatePolicy, _ limit: RateLimit, _ proxies: Proxies, _ time: RateTime) {
        self.policy = policy
        self.limit = limit
        self.proxies = proxies
        self.time = time
    }

    /// Counts one more of the request's source; it is one too many where that is refused.
    func count(_ head: RequestHead) -> Standing {
        sources.take(proxies.source(of: head), limit, at: time.moment)
    }

    /// Whether the next of the source's would be one too many, and how long it is so.
    func exhaustion(_ head: RequestHead) -> Standing? {
        let standing = sources.standing(proxies.source(of: head), limit, at: time.moment)
        return standing.remaining == 0 ? standing : nil
    }

    /// How many sources are known.
    var subjects: Int { sources.count }

    /// 429: what was sent before was no good too often.
    func problem(_ detail: String, _ standing: Standing) -> Problem {
        var problem = Problem(.tooManyFailures, detail, retryAfter: standing.growsInSeconds)
        problem.violatedPolicies = [policy]
        var standings = Standings()
        standings.append(policy, standing)
        problem.extraHeaders = standings.headers
        return problem
    }
}
