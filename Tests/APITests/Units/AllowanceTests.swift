import Consent
import Testing

@testable import API

/// The rule by which requests are counted, against one that keeps every request in mind.
struct AllowanceTests {
    private func limit(_ requests: Int, _ seconds: Int) -> RateLimit {
        RateLimit(trustedRequests: requests, seconds: seconds)
    }

    @Test func allAtOnceAndThenOneForEachPartOfTheSpan() {
        let limit = limit(3, 30)
        var allowance = Allowance.untouched
        for left in [2, 1, 0] {
            let standing = allowance.take(limit, at: 1_000)
            #expect(!standing.isRefused && standing.remaining == left && standing.growsInSeconds == 10)
        }
        let refused = allowance.take(limit, at: 1_000 + 4_000_000)
        #expect(refused.isRefused && refused.remaining == 0 && refused.growsIn == 6_000_000)
        // What was refused is not counted, and a moment too early is too early.
        #expect(allowance.take(limit, at: 1_000 + 9_999_999).isRefused)
        #expect(!allowance.take(limit, at: 1_000 + 10_000_000).isRefused)
        #expect(allowance.take(limit, at: 1_000 + 10_000_000).isRefused)
        // After a long silence all are back, and no more.
        let later = Int64(3_600_000_000)
        #expect(allowance.isWhole(at: later))
        for _ in 0..<3 { #expect(!allowance.take(limit, at: later).isRefused) }
        #expect(allowance.take(limit, at: later).isRefused)
    }

    /// A third of a second is no whole number of microseconds: over a day not one request is lost or won.
    @Test(arguments: [(3, 1), (7, 1), (7, 3), (1_000, 3), (999, 1), (1, 1), (6, 59)])
    func nothingIsLostToRounding(_ requests: Int, _ seconds: Int) {
        let limit = limit(requests, seconds)
        var allowance = Allowance.untouched
        var taken = 0
        var now: Int64 = 5
        // Asks at once whenever there is one more.
        while taken < requests * 1_000 {
            let standing = allowance.take(limit, at: now)
            if standing.isRefused {
                #expect(standing.growsIn > 0)
                now += standing.growsIn
            } else {
                taken += 1
            }
        }
        // The last of them had grown back exactly then, rounded up to a microsecond.
        let exact = (requests * 999 * seconds * 1_000_000 + requests - 1) / requests
        #expect(now - 5 == Int64(exact))
    }

    /// A bucket of whole tokens and parts of them, filled as time goes by.
    private struct Bucket {
        let limit: RateLimit
        var parts: Int
        var at: Int64 = 0

        init(_ limit: RateLimit) {
            self.limit = limit
            parts = limit.requests * limit.seconds * 1_000_000
        }

        mutating func take(at now: Int64) -> (isTaken: Bool, left: Int) {
            let token = limit.seconds * 1_000_000
            parts = min(limit.requests * token, parts + Int(now - at) * limit.requests)
            at = now
            guard parts >= token else { return (false, 0) }
            parts -= token
            return (true, parts / token)
        }
    }

    /// Every sequence of five waits out of these, for every small limit.
    @Test func agreesWithABucketOfTokens() {
        for requests in 1...4 {
            for seconds in 1...3 {
                let limit = limit(requests, seconds)
                let token = Int64(seconds) * 1_000_000 / Int64(requests)
                let waits = [0, 1, token - 1, token, token + 1, Int64(seconds) * 1_000_000]
                for number in 0..<(6 * 6 * 6 * 6 * 6) {
                    var (rest, now) = (number, Int64(17))
                    var allowance = Allowance.untouched
                    var bucket = Bucket(limit)
                    for _ in 0..<6 {
                        let standing = allowance.take(limit, at: now)
                        let (isTaken, left) = bucket.take(at: now)
                        guard standing.isRefused != isTaken, standing.remaining == left else {
                            Issue.record("\(limit), \(number), at \(now): \(standing), bucket \(left)")
                            return
                        }
                        // The moment it names is the first at which there is one more.
                        let next = allowance.standing(limit, at: now + standing.growsIn).remaining
                        let before = allowance.standing(limit, at: now + standing.growsIn - 1).remaining
                        guard next == left + 1, before == left else {
                            Issue.record("\(limit), \(number), at \(now): \(before), \(next) of \(standing)")
                            return
                        }
                        now += waits[rest % 6]
                        rest /= 6
                    }
                }
            }
        }
    }

    @Test func aClockThatSeemsToGoBackGivesNothing() {
        let limit = limit(2, 1)
        var allowance = Allowance.untouched
        #expect(!allowance.take(limit, at: 1_000).isRefused)
        #expect(allowance.take(limit, at: 900).isRefused)
        #expect(!allowance.take(limit, at: 1_000).isRefused)
        #expect(allowance.take(limit, at: 500_999).isRefused)
        #expect(!allowance.take(limit, at: 501_000).isRefused)
    }

    @Test func greatestLimitsDoNotOverflow() {
        let limit = limit(1_000_000, 3_600)
        var allowance = Allowance.untouched
        let now = Int64.max / 4
        #expect(allowance.take(limit, at: now).remaining == 999_999)
        #expect(allowance.standing(limit, at: now).growsIn == 3_600)
        let small = self.limit(1, 3_600)
        var other = Allowance.untouched
        #expect(other.take(small, at: now).growsInSeconds == 3_600)
        // Several with limits of their own may share one allowance; what the one left is nothing strange to the other.
        #expect(!allowance.take(self.limit(3, 1), at: now).isRefused)
        #expect(allowance.take(self.limit(3, 1), at: now).remaining == 0)
    }

    @Test func limitsHaveRanges() {
        #expect(RateLimit(requests: 1, seconds: 1) != nil && RateLimit(requests: 1_000_000, seconds: 3_600) != nil)
        for (requests, seconds) in [(0, 1), (1_000_001, 1), (1, 0), (1, 3_601), (-1, 1), (Int.max, Int.max)] {
            #expect(RateLimit(requests: requests, seconds: seconds) == nil)
        }
    }
}
