import Consent
import Testing

@testable import Workers

/// Sleeps long enough to fail the test by its time limit if nobody wakes it.
@Suite(.timeLimit(.minutes(3))) struct AlarmTests {
    private let soon = Instant(microseconds: 1_000)
    private let later = Instant(microseconds: 2_000)

    /// Runs `act` once the alarm's sleeper is surely asleep or about to be; either way it must wake.
    private func wakes(until moment: Instant?, _ act: @Sendable (Alarm) -> Void) async {
        let alarm = Alarm()
        let sleeper = Task { await alarm.sleep(for: .seconds(600), until: moment) }
        act(alarm)
        await sleeper.value
    }

    @Test func aRingEndsASleepAlsoOneThatIsYetToBegin() async {
        for _ in 0..<200 { await wakes(until: later) { $0.ring() } }
        for _ in 0..<200 { await wakes(until: later) { $0.ring(at: Instant(microseconds: 1_000)) } }
        for _ in 0..<200 { await wakes(until: nil) { $0.ring(at: Instant(microseconds: .max)) } }
    }

    @Test func aRingWhileAwakeIsKeptForTheNextSleepOnly() async {
        let alarm = Alarm()
        alarm.ring(at: later)
        alarm.ring(at: soon)
        await alarm.sleep(for: .seconds(600), until: later)
        let started = ContinuousClock.now
        await alarm.sleep(for: .milliseconds(30), until: later)
        #expect(ContinuousClock.now - started >= .milliseconds(30))
    }

    @Test func aMomentAfterTheOneWaitedForDoesNotRing() async {
        let alarm = Alarm()
        alarm.ring(at: later)
        let started = ContinuousClock.now
        await alarm.sleep(for: .milliseconds(30), until: soon)
        #expect(ContinuousClock.now - started >= .milliseconds(30))
        // What was slept past is no reason to wake from the sleep after.
        alarm.ring(at: later)
        await alarm.sleep(for: .seconds(600), until: nil)
    }

    @Test func cancellationEndsASleep() async {
        let alarm = Alarm()
        let sleeper = Task { await alarm.sleep(for: .seconds(600), until: nil) }
        sleeper.cancel()
        await sleeper.value
    }
}
