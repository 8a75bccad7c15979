import Glibc
import Synchronization

/// One client's socket as the server sees it. Its lock owns all of its state; the lock is also what makes it safe to touch the
/// descriptor from another thread, since libmicrohttpd closes it only after `close()` was called.
final class Connection: Sendable {
    /// What the connection is waiting for.
    private enum Phase {
        /// The first request line, since this time.
        case opening(since: Int64)
        /// The next request line, since this time.
        case idle(since: Int64)
        /// The end of this exchange.
        case exchange(Exchange)
        case closed
    }

    private struct State {
        var phase: Phase
        var slot = 0
        /// The client may still be sending: what was answered last must survive the close.
        var lingers = false
        var shut = false
    }

    let descriptor: Int32
    let peer: String
    let secure: Bool
    private let state: Mutex<State>

    init(descriptor: Int32, peer: String, secure: Bool, now: Int64) {
        self.descriptor = descriptor
        self.peer = peer
        self.secure = secure
        state = Mutex(State(phase: .opening(since: now)))
    }

    /// An exchange begins; returns when the time for its head began to run.
    func begin(_ exchange: Exchange, now: Int64) -> Int64 {
        state.withLock { state in
            defer { state.phase = .exchange(exchange) }
            if case .opening(let since) = state.phase { return since }
            return now
        }
    }

    /// The exchange is over; the connection may bring another.
    func end(now: Int64) {
        state.withLock { state in
            if case .exchange = state.phase { state.phase = .idle(since: now) }
        }
    }

    /// The exchange under way, if any.
    var exchange: Exchange? {
        state.withLock { state in
            if case .exchange(let exchange) = state.phase { exchange } else { nil }
        }
    }

    /// Asks that closing wait for the client to have read the answer.
    func linger() {
        state.withLock { $0.lingers = true }
    }

    /// Sends these bytes if the socket is a plain one, and shuts it; libmicrohttpd then finds it ended.
    func shut(sending bytes: [UInt8]? = nil) {
        state.withLock { state in
            if case .closed = state.phase { return }
            if state.shut { return }
            state.shut = true
            if let bytes, !secure {
                DirectReply.send(bytes, to: descriptor)
                state.lingers = true
            }
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    /// What the watchdog does about a connection at this time: shuts it if it waited too long for a request, else hands back the
    /// exchange whose own deadlines are to be looked at.
    func watch(now: Int64, times: ServerState.Times) -> Exchange? {
        let (expired, exchange): (Bool, Exchange?) = state.withLock { state in
            switch state.phase {
            case .opening(let since): (now - since > times.head, nil)
            case .idle(let since): (now - since > times.idle, nil)
            case .exchange(let exchange): (false, exchange)
            case .closed: (false, nil)
            }
        }
        if expired { shut() }
        return exchange
    }

    /// Whether the connection has had no exchange for this long.
    func isQuiet(now: Int64, for quiet: Int64) -> Bool {
        state.withLock { state in
            switch state.phase {
            case .opening(let since), .idle(let since): now - since > quiet
            case .exchange: false
            case .closed: true
            }
        }
    }

    /// libmicrohttpd is about to close the descriptor. Returns a duplicate to linger on if the client may still be sending.
    func close() -> Lingering? {
        state.withLock { state in
            if case .closed = state.phase { return nil }
            state.phase = .closed
            guard state.lingers else { return nil }
            return Lingering(duplicating: descriptor, readable: !state.shut)
        }
    }

    /// Its place in its loop's list, kept by that list under its own lock.
    var slot: Int {
        get { state.withLock { $0.slot } }
        set { state.withLock { $0.slot = newValue } }
    }
}
