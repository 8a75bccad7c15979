import Glibc
import Synchronization

/// How other threads wake an event loop: a system call only when the loop really sleeps, so that under load resuming a
/// connection costs none.
final class Doorbell: Sendable {
    private enum Door: UInt8, AtomicRepresentable {
        case awake, asleep, rung
    }

    private let door = Atomic<Door>(.awake)
    private let wakeUp: WakeUp

    init?() {
        guard let wakeUp = WakeUp() else { return nil }
        self.wakeUp = wakeUp
    }

    /// Any thread. What was done before is seen by the loop after its next `answer`.
    func ring() {
        if door.exchange(.rung, ordering: .acquiringAndReleasing) == .asleep { wakeUp.signal() }
    }

    /// The loop is about to look at everything there is.
    func answer() { _ = door.exchange(.awake, ordering: .acquiringAndReleasing) }

    /// Sleeps until the bell is rung or this descriptor is readable; not at all if it was rung since `answer`.
    func wait(beside descriptor: Int32) {
        guard door.compareExchange(expected: .awake, desired: .asleep, ordering: .acquiringAndReleasing).exchanged
        else {
            return
        }
        var pollers = (
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
        )
        withUnsafeMutablePointer(to: &pollers) {
            $0.withMemoryRebound(to: pollfd.self, capacity: 2) { _ = poll($0, 2, -1) }
        }
        if pollers.1.revents != 0 { wakeUp.clear() }
    }
}
