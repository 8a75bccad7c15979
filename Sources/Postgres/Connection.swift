import CLibPQ
import Glibc

/// One session with PostgreSQL, synchronous to its caller.
///
/// Owned by one thread, from `init` to `close`. Underneath it is a non-blocking libpq connection in pipeline mode whose
/// owner waits for reading and writing at once, so that a large flight cannot deadlock with large answers. A failed
/// flight leaves it either clean, outside any transaction, or closed: see `isOpen`.
package final class Connection {
    /// libpq's connection; nil once closed.
    var handle: OpaquePointer?
    let settings: ConnectionSettings
    let interrupt: Interrupt?
    /// The names of the statements prepared in this session.
    var prepared: Set<String> = []
    /// Those of statements whose preparation is in the air.
    var preparing: Set<String> = []
    /// Which of the settings' hosts answered.
    let hostIndex: Int
    /// The process id of the server's end.
    let backend: Int32

    /// Connects to the first host that takes writes, starting with the one at `first`; fires of `interrupt` cut this
    /// and every later wait short.
    package init(
        _ settings: ConnectionSettings, startingAt first: Int = 0, interrupt: Interrupt? = nil
    ) throws(DatabaseError) {
        self.settings = settings
        self.interrupt = interrupt
        var failure: DatabaseError?
        let count = settings.hosts.count
        for offset in 0..<count {
            let index = (first + offset) % count
            do throws(DatabaseError) {
                let opened = try Self.open(settings, settings.hosts[index], interrupt)
                handle = opened
                hostIndex = index
                backend = PQbackendPID(opened)
                return
            } catch {
                // The most telling failure: that of a host that answered, before that of one that did not.
                if failure?.sqlState == nil { failure = error }
                if interrupt?.isFired == true { break }
            }
        }
        throw failure ?? DatabaseError(.cannotConnect, detail: "no host")
    }

    deinit {
        close()
    }

    /// False once the session is gone; its owner then opens another.
    package var isOpen: Bool { handle != nil }

    /// Ends the session; what was in flight is given up.
    package func close() {
        if let handle { PQfinish(handle) }
        handle = nil
    }

    /// Looks, without waiting, whether an idle session is still there.
    package func checkAlive() -> Bool {
        guard let handle else { return false }
        var entry = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        if poll(&entry, 1, 0) > 0 {
            // An idle server only speaks to say goodbye or to notify.
            if PQconsumeInput(handle) == 0 || PQstatus(handle) == CONNECTION_BAD { close() }
        }
        return isOpen
    }

    /// Leaves any transaction that is open; closes the session when that fails.
    package func leaveTransaction() {
        guard let handle else { return }
        guard PQtransactionStatus(handle) != PQTRANS_IDLE else { return }
        var flight = Flight()
        flight.simple(.rollback)
        do throws(DatabaseError) { _ = try fly(flight, until: .now + settings.flightTimeout) } catch { close() }
    }

    /// True while a transaction is open on this session.
    package var isInTransaction: Bool {
        handle.map { PQtransactionStatus($0) != PQTRANS_IDLE } ?? false
    }
}
