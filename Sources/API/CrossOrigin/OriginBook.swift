import Consent
import Store
import Synchronization

/// Holds every app's web origins for at most three seconds. Shared by all requests and guarded by a mutex; one request
/// renews it halfway while the others still use it.
final class OriginBook: Sendable {
    private struct Held {
        var origins: Origins?
        var since: ContinuousClock.Instant?
        var isRenewing = false
        /// Raised by `forget`: what was asked for before then is out of date when it arrives.
        var generation = 0
    }

    private static let renewalAge = Duration.milliseconds(1_500)
    private static let greatestAge = Duration.seconds(3)

    private let store: any StoreReading
    private let now: @Sendable () -> ContinuousClock.Instant
    private let book = Mutex(Held())

    init(store: any StoreReading, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.store = store
        self.now = now
    }

    /// What was read last, of any age; for answers that cannot wait.
    var held: Origins? { book.withLock { $0.origins } }

    /// An app changed through this instance: its own writes count at once.
    func forget() {
        book.withLock { book in
            book.since = nil
            book.generation += 1
        }
    }

    /// Whether a browser's page of this origin may read an answer; no when that cannot be learnt.
    func allows(_ origin: ArraySlice<UInt8>, _ audience: Audience) async -> Bool {
        switch audience {
        case .anyApp: await current()?.contains(origin) ?? false
        case .app(let app): await current()?.contains(origin, of: app) ?? false
        case .nobody: false
        }
    }

    private func current() async -> Origins? {
        let asked = now()
        let (usable, generation) = book.withLock { book -> (Origins?, Int) in
            if let origins = book.origins, let since = book.since {
                let age = asked - since
                if age < Self.renewalAge || (book.isRenewing && age < Self.greatestAge) {
                    return (origins, book.generation)
                }
            }
            book.isRenewing = true
            return (nil, book.generation)
        }
        if let usable { return usable }
        do {
            let origins = Origins(try await store.allowedOrigins())
            put(origins, askedAt: asked, generation)
            return origins
        } catch {
            book.withLock { $0.isRenewing = false }
            return nil
        }
    }

    private func put(_ origins: Origins, askedAt asked: ContinuousClock.Instant, _ generation: Int) {
        book.withLock { book in
            book.isRenewing = false
            guard book.generation == generation else { return }
            book.origins = origins
            book.since = asked
        }
    }
}
