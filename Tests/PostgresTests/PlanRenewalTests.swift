import Testing

@testable import Postgres

@Suite struct PlanRenewalTests {
    @Test func plansAreDroppedOftenInAYoungSessionAndSeldomLater() {
        let opened = MonotonicTime(nanoseconds: 5_000_000_000)
        var renewal = PlanRenewal(openedAt: opened)
        var seconds: [Int] = []
        for second in 0..<7_200 where renewal.isDue(at: opened + .seconds(second)) { seconds.append(second) }
        #expect(seconds == [1, 5, 20, 80, 380, 2_180, 3_980, 5_780])
    }
}
