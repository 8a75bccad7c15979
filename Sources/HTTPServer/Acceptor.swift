import CMicrohttpd
import Glibc
import Synchronization

/// The thread that owns the listening socket: accepts, keeps the connection limit, and deals connections to the loops in turn.
final class Acceptor: Sendable {
    private let listening: ListeningSocket
    private let server: ServerState
    private let loops: [EventLoop]
    private let limit: Int
    private let watchdog: Watchdog
    private let wakeUp: WakeUp
    private let stopping = Atomic<Bool>(false)

    init?(_ listening: ListeningSocket, server: ServerState, loops: [EventLoop], limit: Int, watchdog: Watchdog) {
        guard let wakeUp = WakeUp() else { return nil }
        self.listening = listening
        self.server = server
        self.loops = loops
        self.limit = limit
        self.watchdog = watchdog
        self.wakeUp = wakeUp
    }

    /// Asks the thread to take in what the kernel has accepted already, close the listening socket and end.
    func stop() {
        stopping.store(true, ordering: .sequentiallyConsistent)
        wakeUp.signal()
    }

    /// The thread's whole life.
    func run() {
        var next = 0
        while !stopping.load(ordering: .sequentiallyConsistent) {
            var pollers = [
                pollfd(fd: listening.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            poll(&pollers, 2, -1)
            accept(&next, atMost: 256)
        }
        accept(&next, atMost: Int(server.configuration.backlog))
        close(listening.descriptor)
    }

    /// Takes what is waiting, within bounds, so that a flood cannot keep the thread from noticing that it should stop.
    private func accept(_ next: inout Int, atMost most: Int) {
        for _ in 0..<most {
            var address = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let descriptor = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    accept4(
                        listening.descriptor, $0, &length,
                        Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue))
                }
            }
            if descriptor >= 0 {
                take(descriptor, address, length, &next)
                continue
            }
            switch errno {
            case EAGAIN: return
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                // Nothing to accept with: the queue keeps them while others close.
                wakeUp.wait(milliseconds: 20)
                return
            // The client gave up before it was accepted, or a signal came.
            default: continue
            }
        }
    }

    private func take(
        _ descriptor: Int32, _ address: sockaddr_storage, _ length: socklen_t, _ next: inout Int
    ) {
        let counters = server.counters
        guard counters.connections.load(ordering: .sequentiallyConsistent) < limit else { return refuse(descriptor) }
        counters.accepted.wrappingAdd(1, ordering: .relaxed)
        counters.connections.wrappingAdd(1, ordering: .sequentiallyConsistent)
        next = (next + 1) % loops.count
        loops[next].take(EventLoop.Incoming(descriptor: descriptor, address: address, length: length))
    }

    /// One connection too many: told so, where it can be, and let go.
    private func refuse(_ descriptor: Int32) {
        server.counters.count(.overloaded)
        if server.configuration.tls == nil {
            DirectReply.send(DirectReply.bytes(server.responder.refuse(.overloaded, head: nil)), to: descriptor)
        }
        watchdog.linger(Lingering(owning: descriptor, readable: true))
    }
}
