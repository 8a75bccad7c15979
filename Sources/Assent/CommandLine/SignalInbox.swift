import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// The signals that ask the process to end, as values: a mutex owns the state; the main thread, which does nothing else,
/// takes signals with `sigwait`, so no code ever runs inside a signal handler.
///
/// Until a command calls `claim`, a signal ends the process at once, as it would without us.
final class SignalInbox: Sendable {
    private struct State {
        var claimed = false
        var received: Int32?
        var waiter: CheckedContinuation<Int32, Never>?
    }

    private let state = Mutex(State())

    /// The signals taken: SIGTERM, SIGINT and, unless the parent had it ignored (`nohup`), SIGHUP.
    private static func wanted() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        var action = sigaction()
        sigaction(SIGHUP, nil, &action)
        // C functions are compared by their addresses; SIG_IGN is the number 1 and must not be called.
        if unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) {
            sigaddset(&set, SIGHUP)
        }
        return set
    }

    /// Blocks them in the calling thread, and so in every thread it starts. To be called before there are any others.
    static func block() {
        signal(SIGPIPE, SIG_IGN)
        var set = wanted()
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Takes signals on the calling thread until the process ends.
    func serve() -> Never {
        var set = Self.wanted()
        while true {
            var signal: Int32 = 0
            if sigwait(&set, &signal) == 0 { deliver(signal) }
        }
    }

    /// From now on signals are for `next` to return.
    func claim() {
        state.withLock { $0.claimed = true }
    }

    /// The first signal that came since the claim.
    var received: Int32? { state.withLock(\.received) }

    /// Waits for the first signal; later ones change nothing.
    func next() async -> Int32 {
        await withCheckedContinuation { continuation in
            let already = state.withLock { state -> Int32? in
                if state.received == nil { state.waiter = continuation }
                return state.received
            }
            if let already { continuation.resume(returning: already) }
        }
    }

    /// Takes one signal; what `serve` does for each.
    func deliver(_ signal: Int32) {
        let (waiter, unclaimed) = state.withLock { state -> (CheckedContinuation<Int32, Never>?, Bool) in
            guard state.claimed else { return (nil, true) }
            guard state.received == nil else { return (nil, false) }
            state.received = signal
            defer { state.waiter = nil }
            return (state.waiter, false)
        }
        if unclaimed { _exit(128 + signal) }
        waiter?.resume(returning: signal)
    }
}
