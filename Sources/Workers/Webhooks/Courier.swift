import CCurl
package import Consent
import Glibc
import Synchronization

/// Posts letters and tells what came back: one thread with all transfers of the process, and their connections.
///
/// Any thread may call it; the mutex owns what goes to the courier's thread, which alone owns the transfers. Nothing here
/// bounds how many are under way: whoever sends holds a place for each.
package final class Courier: Sendable {
    package struct Settings: Sendable {
        /// Which addresses a connection may be made to.
        package var policy = AddressPolicy()
        /// A file of certificates that receivers are trusted by, in PEM; nil for the system's.
        package var authorities: String?
        /// For all of an attempt, from the look-up of the name to the end of the answer.
        package var timeout = Duration.seconds(15)
        /// Of that, until a connection stands.
        package var connectTimeout = Duration.seconds(10)
        package var userAgent = "Assent"

        package init() {}
    }

    /// Why there is no courier.
    package enum Failure: Error, Sendable {
        /// No memory, no thread, or a libcurl without what is needed.
        case unavailable
    }

    struct Parcel: Sendable {
        let letter: Letter
        /// Called once; nil where the courier stopped before the end.
        let deliver: @Sendable (AttemptResult?) -> Void
    }

    enum Phase: Sendable {
        case working
        /// Takes no more; what is under way goes on.
        case draining
        /// Gives up what is under way.
        case aborting
        case ended
    }

    private struct State {
        var phase = Phase.working
        var arriving: [Parcel] = []
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    let settings: Settings
    private let state = Mutex(State())
    /// Of it only `curl_multi_wakeup` may be called by other threads, and not after the end.
    private let line: Line

    // Sound: the pointer never changes, and who may use it is said above.
    private struct Line: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer
    }

    package init(_ settings: Settings = Settings()) throws(Failure) {
        guard Self.isReady, let multi = curl_multi_init() else { throw .unavailable }
        self.settings = settings
        line = Line(multi: multi)
        guard Self.startThread(self) else {
            curl_multi_cleanup(multi)
            throw .unavailable
        }
    }

    /// The library is set up once for the process, before its first use. Names must be looked up by threads of its own, or
    /// each look-up would hold up every transfer.
    private static let isReady =
        curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK && assent_curl_resolves_aside()

    /// Posts a letter and waits for the answer's head and what follows it; nil where the courier stopped before.
    package func send(_ letter: Letter) async -> AttemptResult? {
        await withCheckedContinuation { continuation in
            let parcel = Parcel(letter: letter) { continuation.resume(returning: $0) }
            let isTaken = state.withLock { state in
                guard case .working = state.phase else { return false }
                state.arriving.append(parcel)
                curl_multi_wakeup(line.multi)
                return true
            }
            if !isTaken { parcel.deliver(nil) }
        }
    }

    /// Takes no more letters, lets those under way end within a while, gives up the others, and returns when all is closed.
    package func stop(within grace: Duration) async {
        move(to: .draining)
        let abortion = Task {
            if (try? await Task.sleep(for: grace)) != nil { move(to: .aborting) }
        }
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if case .ended = state.phase { return true }
                state.waiters.append(continuation)
                return false
            }
            if hasEnded { continuation.resume() }
        }
        abortion.cancel()
    }

    private func move(to phase: Phase) {
        state.withLock { state in
            switch (state.phase, phase) {
            case (.working, _), (.draining, .aborting):
                state.phase = phase
                curl_multi_wakeup(line.multi)
            case (.draining, _), (.aborting, _), (.ended, _): break
            }
        }
    }

    // MARK: The courier's thread

    private func run() {
        pthread_setname_np(pthread_self(), "courier")
        let transfers = Transfers(line.multi, settings)
        while true {
            let (parcels, phase) = state.withLock { state in
                let parcels = state.arriving
                state.arriving = []
                return (parcels, state.phase)
            }
            for parcel in parcels { transfers.begin(parcel) }
            switch phase {
            case .working: break
            case .draining: if transfers.isEmpty { return end() }
            case .aborting, .ended:
                transfers.abandon()
                return end()
            }
            transfers.work()
        }
    }

    private func end() {
        let waiters = state.withLock { state in
            state.phase = .ended
            curl_multi_cleanup(line.multi)
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private static func startThread(_ courier: Courier) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let argument = Unmanaged.passRetained(courier)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                // What OpenSSL writes to a connection that has gone is an error, not the end of the process.
                var broken = sigset_t()
                sigemptyset(&broken)
                sigaddset(&broken, SIGPIPE)
                pthread_sigmask(SIG_BLOCK, &broken, nil)
                Unmanaged<Courier>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument.toOpaque())
        if code != 0 { argument.release() }
        return code == 0
    }
}
