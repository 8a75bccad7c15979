import CLibPQ
import Glibc

extension Connection {
    /// What other sessions, and this one, told on the channels this session listens on.
    struct Notification {
        let payload: String
        /// The process id of the session that told it, as PostgreSQL knows it.
        let sender: Int32
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
                    sender: notify.pointee.be_pid))
            PQfreemem(notify)
        }
        return taken
    }
}
