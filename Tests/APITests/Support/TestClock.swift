import Consent
import Synchronization

@testable import API

/// A monotonic clock that stands until it is moved.
final class TestClock: Sendable {
    private let offset = Mutex(Duration.zero)
    private let start = ContinuousClock.now

    func advance(by duration: Duration) {
        offset.withLock { $0 += duration }
    }

    var now: ContinuousClock.Instant { start + offset.withLock { $0 } }

    var clocks: Clocks { Clocks(monotonic: { self.now }, wall: TestService.wall) }
}
