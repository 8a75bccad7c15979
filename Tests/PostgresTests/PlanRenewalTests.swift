import Testing

@testable import Postgres

@Suite struct PlanRenewalTests {
    private let opened = MonotonicTime(nanoseconds: 5_000_000_000)

    @Test func plansAreDroppedWhenTheWorkHasDoubled() {
        var renewal = PlanRenewal(openedAt: opened)
        let due = (1...1_000).filter { _ in renewal.isDue(at: opened) }
        #expect(due == [16, 32, 64, 128, 256, 512])
    }

    @Test func plansAreDroppedAfterASecondAndThenEveryMinute() {
        var renewal = PlanRenewal(openedAt: opened)
        for _ in 1...600 { _ = renewal.isDue(at: opened) }
        let due = (1...200).filter { second in
            renewal.isDue(at: opened + .seconds(second))
        }
        #expect(due == [60, 120, 180])
    }

    @Test func aSessionThatWasIdleRenewsWithItsFirstWork() {
        var renewal = PlanRenewal(openedAt: opened)
        let seconds = [0, 600, 601].filter { renewal.isDue(at: opened + .seconds($0)) }
        #expect(seconds == [600])
        let due = (1...100).filter { _ in renewal.isDue(at: opened + .seconds(601)) }
        #expect(due == [13, 29, 61])
    }
}
