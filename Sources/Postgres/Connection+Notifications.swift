import CLibPQ
import Glibc

extension Connection {
    /// What other sessions, and this one, told on the channels this session listens on.
    struct Notification {
        let payload: String
        /// Whether this very session told it.
        let isOwn: Bool
    }

    /// Waits until something comes in, the bell is rung, or the limit passes; closes the session when it finds it gone.
    func waitForNotification(beside bell: Bell, until limit: MonotonicTime) {
        guard let handle else { return }
        var entries = (
            pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0),
            pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: interrupt?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
        )
        let count = withUnsafeMutableBytes(of: &entries) { bytes in
            poll(bytes.assumingMemoryBound(to: pollfd.self).baseAddress, 3, limit.pollTimeout)
        }
        if count > 0, entries.0.revents != 0 {
            if PQconsumeInput(handle) == 0 || PQstatus(handle) == CONNECTION_BAD { close() }
        }
    }

    /// Takes what has come in so far.
    func takeNotifications() -> [Notification] {
        var taken: [Notification] = []
        while let handle, let notify = PQnotifies(handle) {
            taken.append(
                Notification(
                    payload: notify.pointee.extra.map { String(cString: $0) } ?? "",
                    isOwn: notify.pointee.be_pid == backend))
            PQfreemem(notify)
        }
        return taken
    }
}
