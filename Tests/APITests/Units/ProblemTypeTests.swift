import Consent
import Store
import Testing

@testable import API

struct ProblemTypeTests {
    @Test func slugsAreUniqueAndPlain() {
        let slugs = ProblemType.all.map(\.slug)
        #expect(Set(slugs).count == slugs.count)
        for slug in slugs { #expect(slug.allSatisfy { ("a"..."z").contains($0) || $0 == "-" }, "\(slug)") }
    }

    @Test func aRememberedRefusalHasTheTypeItHad() {
        let question = Question(
            id: Identifier(high: 1, low: 1), personRef: Identifier(high: 2, low: 2),
            topic: .purchase(product: CallerID(trusted: "x")), description: "d", language: nil, quorum: 1,
            expiration: Instant(microseconds: 2), createdAt: Instant(microseconds: 1))
        let now = Instant(microseconds: 5)
        let refusals: [Refusal] = [
            .unknownApp, .unknownPerson, .unknownQuestion, .unknownChange, .unknownKey, .preconditionFailed,
            .notAvailable, .questionExpired(question), .questionCancelled(question), .questionSuperseded(question),
            .questionDecided(question), .revisionChanged(question),
            .deniedRecently(question, until: now, now: now), .guardianNotLinked,
            .quorumUnreachable(links: 1, quorum: 2), .blocked(.ageUnknown), .notAnAdult, .ageUnknown,
            .adultNotConfirmed,
            .changeNotRegistered, .expirationNotAfterNow(now: now), .expirationTooFar(latest: now),
            .idempotencyKeyReused, .unknownWebhookEndpoint, .tooManyWebhookEndpoints, .unknownEvent,
        ]
        for refusal in refusals {
            let problem = Problem(refusal, app: AppID(trusted: "a"), person: nil, at: now)
            #expect(ProblemType(refusalCode: refusal.code) == problem.type, "\(refusal.code)")
        }
        #expect(ProblemType(refusalCode: "somethingLater") == nil)
    }

    @Test(arguments: [(1, 1), (1_000_000, 1), (1_000_001, 2), (-5, 1)])
    func retryAfterIsRoundedUp(_ microseconds: Int64, _ seconds: Int) {
        let question = Question(
            id: Identifier(high: 1, low: 1), personRef: Identifier(high: 2, low: 2),
            topic: .purchase(product: CallerID(trusted: "x")), description: "d", language: nil, quorum: 1,
            expiration: Instant(microseconds: 2), createdAt: Instant(microseconds: 1))
        let now = Instant(microseconds: 10_000_000)
        let until = Instant(microseconds: now.microseconds + microseconds)
        let problem = Problem(
            .deniedRecently(question, until: until, now: now), app: AppID(trusted: "a"), person: nil, at: now)
        #expect(problem.retryAfter == seconds)
    }
}
