import Glibc
import Synchronization

/// The thread that looks at the clock: neither a suspended connection nor a dripping head is ever timed out by libmicrohttpd.
/// It also holds the sockets that outlive their connection until the client has read the answer. Its lock owns those.
final class Watchdog: Sendable {
    /// More than this many are not held; the oldest is let go early.
    private static let mostLingering = 128
    private static let lingerTime: Int64 = 2_000_000
    private static let farewell: Int64 = 300_000

    private let server: ServerState
    /// Set before the thread starts; the loops know the watchdog too.
    private let loops = Mutex<[EventLoop]>([])
    private let wakeUp: WakeUp
    private let stopping = Atomic<Bool>(false)
    private let lingering = Mutex<[(socket: Lingering, until: Int64)]>([])

    init?(server: ServerState) {
        guard let wakeUp = WakeUp() else { return nil }
        self.server = server
        self.wakeUp = wakeUp
    }

    /// Holds this socket until its client has closed or a short time has passed.
    func linger(_ socket: Lingering) {
        let until = Monotonic.now() + Self.lingerTime
        let dropped = lingering.withLock { list in
            list.append((socket, until))
            return list.count > Self.mostLingering ? list.removeFirst().socket : nil
        }
        dropped?.close()
        wakeUp.signal()
    }

    func watch(_ loops: [EventLoop]) { self.loops.withLock { $0 = loops } }

    func stop() {
        stopping.store(true, ordering: .sequentiallyConsistent)
        wakeUp.signal()
    }

    /// The thread's whole life.
    func run() {
        let tick = Self.tick(server.times)
        var looked = Monotonic.now()
        while !stopping.load(ordering: .sequentiallyConsistent) {
            let holds = lingering.withLock { !$0.isEmpty }
            wakeUp.wait(milliseconds: holds ? min(tick, 10) : tick)
            let now = Monotonic.now()
            if now - looked >= Int64(tick) * 1_000 {
                looked = now
                look(now)
            }
            drain(now)
        }
        // The last refusals get a moment to be read before the process may end.
        let end = Monotonic.now() + Self.farewell
        while Monotonic.now() < end, lingering.withLock({ !$0.isEmpty }) {
            drain(Monotonic.now())
            usleep(2_000)
        }
        for held in lingering.withLock({ $0 }) { held.socket.close() }
    }

    private func look(_ now: Int64) {
        for loop in loops.withLock({ $0 }) {
            for connection in loop.all {
                connection.watch(now: now, times: server.times)?.watch(now: now)
            }
        }
    }

    private func drain(_ now: Int64) {
        let done = lingering.withLock { list in
            var done: [Lingering] = []
            list.removeAll { held in
                if now <= held.until && held.socket.drain() { return false }
                done.append(held.socket)
                return true
            }
            return done
        }
        for socket in done { socket.close() }
    }

    /// A tenth of the shortest time, between 5 ms and a second.
    private static func tick(_ times: ServerState.Times) -> Int32 {
        let shortest = min(times.head, times.body, times.total, times.send, times.idle)
        return Int32(clamping: min(max(shortest / 10_000, 5), 1_000))
    }
}
