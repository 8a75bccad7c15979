import Testing

@testable import API

struct FailureLimiterTests {
    private let start = ContinuousClock.now

    @Test func aBurstAndThenOneForEachInterval() {
        let limiter = FailureLimiter(burst: 3, interval: .seconds(10))
        for _ in 0..<3 {
            #expect(!limiter.isExhausted("a", at: start))
            #expect(limiter.fail("a", at: start) == nil)
        }
        #expect(limiter.isExhausted("a", at: start))
        #expect(limiter.fail("a", at: start) == .seconds(10))
        // What was refused does not count again.
        #expect(limiter.fail("a", at: start + .seconds(4)) == .seconds(6))
        #expect(limiter.fail("b", at: start) == nil)
        #expect(limiter.fail("a", at: start + .seconds(10)) == nil)
        #expect(limiter.fail("a", at: start + .seconds(10)) == .seconds(10))
        // After a long silence the whole burst is back, and no more.
        let later = start + .seconds(3_600)
        for _ in 0..<3 { #expect(limiter.fail("a", at: later) == nil) }
        #expect(limiter.fail("a", at: later) == .seconds(10))
    }

    @Test func manySourcesAreForgottenOldestFirst() {
        let limiter = FailureLimiter(burst: 1, interval: .seconds(1_000), sources: 10)
        #expect(limiter.fail("first", at: start) == nil)
        for number in 0..<9 { #expect(limiter.fail("s\(number)", at: start) == nil) }
        // The table is full: a newer generation begins, the older is still known.
        #expect(limiter.fail("s9", at: start) == nil)
        #expect(limiter.isExhausted("first", at: start))
        for number in 10..<20 { _ = limiter.fail("s\(number)", at: start) }
        #expect(!limiter.isExhausted("first", at: start))
    }

    @Test func whoCountsAsOneSender() {
        #expect(SourceAddress.of(peer: "192.0.2.1") == "192.0.2.1")
        #expect(SourceAddress.of(peer: "2001:db8:0:1::1") == SourceAddress.of(peer: "2001:db8:0:1:ffff::2"))
        #expect(SourceAddress.of(peer: "2001:db8:0:1::1") != SourceAddress.of(peer: "2001:db8:0:2::1"))
        #expect(SourceAddress.of(peer: "") == "")
    }

    @Test func aBoundLetsInSoMany() {
        let bound = Bound(2)
        #expect(bound.enter() && bound.enter() && !bound.enter())
        bound.leave()
        #expect(bound.enter() && !bound.enter())
    }
}
