import Glibc

/// The order in which a running server ends. Runs on a thread of its own, since it waits and joins.
struct Shutdown {
    let state: ServerState
    let parts: Server.Parts

    func run(grace: Int64) {
        let began = Monotonic.now()
        state.phase.store(.stopping, ordering: .sequentiallyConsistent)
        parts.acceptor.stop()
        parts.acceptorThread.join()
        // One whose answer is queued from now on ends there.
        for connection in connections { connection.exchange?.endStream() }
        wait(until: began + grace) { quiet() }
        state.phase.store(.draining, ordering: .sequentiallyConsistent)
        for connection in connections { connection.exchange?.drain() }
        // Refusals are on their way; a client that does not take its own is not waited for beyond this.
        wait(until: Monotonic.now() + state.times.send) {
            state.counters.exchanges.load(ordering: .sequentiallyConsistent) == 0
        }
        // Every suspended exchange was answered above, so this lasts as long as its last resume call.
        wait(until: .max) { state.counters.suspended.load(ordering: .sequentiallyConsistent) == 0 }
        for loop in parts.loops { loop.stop() }
        for thread in parts.loopThreads { thread.join() }
        parts.watchdog.watch([])
        parts.watchdog.stop()
        parts.watchdogThread.join()
    }

    private var connections: [Connection] { parts.loops.flatMap(\.all) }

    /// Whether nothing is under way and no connection looks as if a request were about to come.
    private func quiet() -> Bool {
        if state.counters.connections.load(ordering: .sequentiallyConsistent) == 0 { return true }
        if state.counters.exchanges.load(ordering: .sequentiallyConsistent) > 0 { return false }
        let (now, connections) = (Monotonic.now(), connections)
        // One that was accepted and not yet taken over by its loop is about to bring a request.
        guard connections.count == state.counters.connections.load(ordering: .sequentiallyConsistent) else {
            return false
        }
        return connections.allSatisfy { $0.isQuiet(now: now, for: state.times.quiet) }
    }

    private func wait(until deadline: Int64, _ done: () -> Bool) {
        while !done() && Monotonic.now() < deadline { usleep(1_000) }
    }
}
