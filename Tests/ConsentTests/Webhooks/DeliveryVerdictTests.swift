import Consent
import Testing

/// What becomes of a delivery by an attempt: the specification's schedule, and what a receiver may ask for.
@Suite struct DeliveryVerdictTests {
    private let now = Instant(microseconds: 1_800_000_000_000_000)

    private func verdict(_ result: AttemptResult, _ number: Int = 1, jitter: Double = 0) -> DeliveryVerdict {
        DeliveryVerdict(after: result, try: number, jitter: jitter, now: now)
    }

    private func seconds(_ verdict: DeliveryVerdict) -> Double? {
        guard case .retry(let moment) = verdict else { return nil }
        return Double(moment.microseconds - now.microseconds) / 1_000_000
    }

    @Test func everyStatusIsSuccessOrNot() {
        for status in 100...599 {
            for number in 1...10 {
                let got = verdict(.answered(status: status, retryAfterSeconds: nil), number)
                if (200...299).contains(status) {
                    #expect(got == .delivered)
                } else if status == 410 || number == 10 {
                    #expect(got == .failed)
                } else {
                    #expect(seconds(got) == Double(DeliveryVerdict.delays[number - 1]))
                }
            }
        }
    }

    @Test func everyFailureIsTriedByTheSchedule() {
        #expect(DeliveryVerdict.tries == 10)
        // At once, and then: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h.
        let schedule: [Double] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
        for failure in AttemptFailure.allCases {
            for (index, delay) in schedule.enumerated() {
                #expect(seconds(verdict(.failed(failure), index + 1)) == delay)
            }
            for number in [10, 11, 1_000, 0, -1, .min, .max] {
                #expect(verdict(.failed(failure), number) == .failed)
            }
        }
    }

    @Test func jitterSpreadsAFifthAndNeverHurries() throws {
        for (index, delay) in DeliveryVerdict.delays.enumerated() {
            for share in [0, 0.25, 0.5, 1] {
                let spread = try #require(seconds(verdict(.failed(.timeout), index + 1, jitter: share)))
                #expect(abs(spread - Double(delay) * (1 + 0.2 * share)) < 0.001)
            }
            for nonsense in [-1, Double.nan, -Double.infinity] {
                #expect(seconds(verdict(.failed(.timeout), index + 1, jitter: nonsense)) == Double(delay))
            }
            #expect(seconds(verdict(.failed(.timeout), index + 1, jitter: 7)) == Double(delay) * 1.2)
        }
    }

    @Test(arguments: [
        (0, 5.0), (-3, 5), (4, 5), (5, 5), (6, 6), (3_600, 3_600), (7_205, 7_205), (7_206, 7_205), (86_400, 7_205),
        (.max, 7_205), (.min, 5),
    ]) func aReceiverMayPutOffButNotForLong(_ asked: Int, _ expected: Double) {
        for status in [429, 503, 500, 302] {
            #expect(seconds(verdict(.answered(status: status, retryAfterSeconds: asked))) == expected)
        }
        // What succeeded is not put off, and what is exhausted is not tried again.
        #expect(verdict(.answered(status: 200, retryAfterSeconds: asked)) == .delivered)
        #expect(verdict(.answered(status: 503, retryAfterSeconds: asked), 10) == .failed)
    }

    @Test func aMomentAtTheEndOfTimeDoesNotTrap() {
        let late = Instant(microseconds: .max)
        for number in 1...10 {
            _ = DeliveryVerdict(
                after: .answered(status: 503, retryAfterSeconds: .max), try: number, jitter: 1, now: late)
        }
    }
}
