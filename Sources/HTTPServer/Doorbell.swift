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

    /// Sleeps until the bell is rung, one of these descriptors is readable or the time is over, if it is not negative; not at all if
    /// the bell was rung since `answer`. A negative descriptor is none.
    func wait(beside sockets: Int32, _ other: Int32 = -1, milliseconds: Int32 = -1) {
        guard door.compareExchange(expected: .awake, desired: .asleep, ordering: .acquiringAndReleasing).exchanged
        else {
            return
        }
        var pollers = (
            pollfd(fd: sockets, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
        )
        withUnsafeMutablePointer(to: &pollers) {
            $0.withMemoryRebound(to: pollfd.self, capacity: 3) { _ = poll($0, 3, milliseconds) }
        }
        if pollers.2.revents != 0 { wakeUp.clear() }
    }
}
