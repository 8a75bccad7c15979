import Consent
import Testing

@Suite struct InstantTests {
    @Test("seconds are added to the microsecond, and saturate instead of trapping")
    func adding() {
        let start = Instant(microseconds: 1)
        #expect(start.adding(seconds: 2) == Instant(microseconds: 2_000_001))
        #expect(start.adding(seconds: -1) == Instant(microseconds: -999_999))
        #expect(start.adding(seconds: .max) == Instant(microseconds: .max))
        #expect(start.adding(seconds: .min) == Instant(microseconds: .min))
        #expect(Instant(microseconds: .max).adding(seconds: 1) == Instant(microseconds: .max))
        #expect(Instant(microseconds: .min).adding(seconds: -1) == Instant(microseconds: .min))
    }
}
