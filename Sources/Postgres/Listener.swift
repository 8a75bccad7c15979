import Synchronization

/// Hears what other processes tell through PostgreSQL's NOTIFY, and tells them, on a connection of its own.
///
/// A thread owns the connection; the mutex owns what other threads share with it. What is told is gathered for a moment and
/// sent once however often it was said, so that no transaction that writes ever notifies: those commits go one by one. Losing
/// the connection loses what was told meanwhile; once it stands again whoever listens is told to look for themselves. A pooler
/// that hands sessions out by transaction accepts LISTEN and never delivers: a notification to itself finds that out. It is sent
/// by another connection, since what a session tells itself arrives even there, with the end of its transaction.
package final class Listener: Sendable {
    /// What it reports to logs and metrics as it happens.
    package enum Observation: Sendable {
        /// It hears, after this many failures in a row.
        case listening(afterFailures: Int)
        /// It is connected and hears nothing, not even itself.
        case deaf
        case refused(DatabaseError)
        case lost(DatabaseError)
    }

    /// What it hears.
    package enum News: Sendable {
        /// Another process told this.
        case told(String)
        /// Anything may have been told while nothing was heard.
        case unknown
    }

    private struct Shared {
        var untold: Set<String> = []
        var isListening = false
    }

    /// How long what is to be told gathers.
    static let gathering = Duration.milliseconds(25)
    /// How often an idle session is asked whether it still hears.
    static let probing = Duration.seconds(15)
    /// How long the answer to a probe may take.
    static let patience = Duration.seconds(3)
    /// How long a session that does not hear is left alone before another try.
    static let deafness = Duration.seconds(60)
    /// What probes of all listeners begin with.
    private static let probeMark = "?"
    /// Payloads in one statement.
    private static let most = 1_000

    private let settings: ConnectionSettings
    private let channel: String
    private let observe: @Sendable (Observation) -> Void
    private let hear: @Sendable (News) -> Void
    private let shared = Mutex(Shared())
    private let bell = Bell()
    private let interrupt = Interrupt()
    private let threads = ThreadCount()
    /// What this listener tells itself.
    private let probe = Listener.probeMark + String(UInt64.random(in: .min ... .max), radix: 36)

    /// - Parameters:
    ///   - channel: a plain lower-case name.
    ///   - hear: called on the listener's thread; must not block.
    package init(
        _ settings: ConnectionSettings, channel: StaticString,
        observe: @escaping @Sendable (Observation) -> Void = { _ in }, hear: @escaping @Sendable (News) -> Void
    ) {
        var settings = settings
        // Nothing is prepared, so that a pooler is found out by what it does to notifications.
        settings.sharesSessions = true
        self.settings = settings
        self.channel = channel.description
        self.observe = observe
        self.hear = hear
        _ = threads.start("listen") { [self] in run() }
    }

    /// Whether notifications arrive at present.
    package var isListening: Bool { shared.withLock { $0.isListening } }

    /// Tells the other processes, soon and at most once; what cannot be told now is given up, for they look by themselves too.
    /// A payload is an id, far below PostgreSQL's limit of 8,000 bytes.
    package func tell(_ payload: String) {
        let isFirst = shared.withLock { shared in
            guard shared.isListening else { return false }
            return shared.untold.insert(payload).inserted && shared.untold.count == 1
        }
        if isFirst { bell.ring() }
    }

    /// Ends the thread; false when it did not end within the limit.
    @discardableResult
    package func stop(within limit: Duration) async -> Bool {
        interrupt.fire()
        let end = MonotonicTime.now + limit
        return await withCheckedContinuation { continuation in
            let isStarted = DedicatedThread.run("listen-stop") { [threads] in
                continuation.resume(returning: threads.waitForEnd(until: end))
            }
            if !isStarted { continuation.resume(returning: false) }
        }
    }

    // MARK: The thread

    private func run() {
        var backoff = Backoff(first: .milliseconds(50), limit: .seconds(2))
        var failures = 0
        var host = 0
        while !interrupt.isFired {
            do throws(DatabaseError) {
                let connection = try Connection(settings, startingAt: host, interrupt: interrupt)
                defer { connection.close() }
                host = connection.hostIndex
                try connection.execute("listen \(channel)")
                // A pooler gives its clients ids of its own.
                let own = try connection.run(Self.identity).first?.int4(0) ?? connection.backend
                guard try hears(connection, own, host) else {
                    if interrupt.isFired { return }
                    observe(.deaf)
                    connection.close()
                    interrupt.sleep(for: Self.deafness)
                    continue
                }
                observe(.listening(afterFailures: failures))
                shared.withLock { $0.isListening = true }
                failures = 0
                backoff.reset()
                hear(.unknown)
                try serve(connection, own)
            } catch {
                let wasListening = shared.withLock { shared in
                    defer {
                        shared.isListening = false
                        shared.untold = []
                    }
                    return shared.isListening
                }
                if interrupt.isFired { return }
                observe(wasListening ? .lost(error) : .refused(error))
                failures += 1
                interrupt.sleep(for: backoff.next())
            }
        }
    }

    /// Whether a notification to itself arrives.
    private func hears(_ connection: Connection, _ own: Int32, _ host: Int) throws(DatabaseError) -> Bool {
        let other = try Connection(settings, startingAt: host, interrupt: interrupt)
        defer { other.close() }
        try send([probe], other)
        let limit = MonotonicTime.now + Self.patience
        while !interrupt.isFired, MonotonicTime.now < limit {
            if try take(connection, own) { return true }
            connection.waitForNotification(beside: bell, until: limit)
            bell.answer()
        }
        return false
    }

    /// Hears and tells until the session is gone or found deaf, or told to stop.
    private func serve(_ connection: Connection, _ own: Int32) throws(DatabaseError) {
        var probeAt = MonotonicTime.now + Self.probing
        var answerBy = MonotonicTime.never
        while !interrupt.isFired {
            bell.answer()
            if try take(connection, own) { answerBy = .never }
            let now = MonotonicTime.now
            if now >= answerBy { throw DatabaseError(.timeout, detail: "a notification to itself did not arrive") }
            var payloads = shared.withLock { shared in
                defer { shared.untold = [] }
                return Array(shared.untold)
            }
            if now >= probeAt {
                payloads.append(probe)
                probeAt = now + Self.probing
                answerBy = now + Self.patience
            }
            guard payloads.isEmpty else {
                try send(payloads, connection)
                // What is told while this passes goes together.
                interrupt.sleep(for: Self.gathering)
                continue
            }
            connection.waitForNotification(beside: bell, until: min(probeAt, answerBy))
        }
    }

    private func send(_ payloads: [String], _ connection: Connection) throws(DatabaseError) {
        var rest = payloads[...]
        while !rest.isEmpty {
            var binds = Parameters()
            binds.append(text: channel)
            binds.append(texts: Array(rest.prefix(Self.most)))
            rest = rest.dropFirst(Self.most)
            _ = try connection.run(Self.notify, binds)
        }
    }

    private static let notify = Statement(
        "listener_notify", "select pg_notify($1, t.payload) from unnest($2::text[]) as t(payload)",
        parameterTypes: [.text, .textArray])

    private static let identity = Statement("listener_identity", "select pg_backend_pid()")

    /// Passes on what others told; whether this listener's own probe, or something else it told, has come back.
    private func take(_ connection: Connection, _ own: Int32) throws(DatabaseError) -> Bool {
        var isHeard = false
        for notification in connection.takeNotifications() {
            if notification.payload == probe || notification.sender == own {
                isHeard = true
            } else if !notification.payload.hasPrefix(Self.probeMark) {
                hear(.told(notification.payload))
            }
        }
        guard connection.isOpen else { throw DatabaseError(.connectionLost, detail: "closed while listening") }
        return isHeard
    }
}
