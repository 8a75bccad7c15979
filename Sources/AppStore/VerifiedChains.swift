import Crypto
import Synchronization

/// The chains that verified lately; a mutex owns them, any thread may ask.
///
/// Only what verified is kept, under the hash of the two certificates, so no sender can push the store's own out by sending
/// others. The least recently used goes first.
final class VerifiedChains: Sendable {
    private struct Entry {
        let chain: VerifiedChain
        var lastUse: UInt64
    }

    private struct State {
        var entries: [Digest: Entry] = [:]
        var uses: UInt64 = 0
        var hits = 0
        var misses = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    var count: Int { state.withLock(\.entries.count) }

    /// How often a chain was found, and how often it was not, since the start.
    var found: (hits: Int, misses: Int) { state.withLock { ($0.hits, $0.misses) } }

    func contains(_ key: Digest) -> Bool { state.withLock { $0.entries[key] != nil } }

    /// The name that a pair of certificates is kept under; nil where nothing can be hashed.
    static func key(of header: TokenHeader) -> Digest? {
        guard var hash = try? SHA256() else { return nil }
        // The length keeps the two apart.
        withUnsafeBytes(of: UInt64(header.leaf.count).bigEndian) { hash.update($0) }
        hash.update(header.leaf)
        hash.update(header.intermediate)
        return try? hash.finish()
    }

    func chain(_ key: Digest) -> VerifiedChain? {
        state.withLock { state in
            state.uses += 1
            state.entries[key]?.lastUse = state.uses
            let chain = state.entries[key]?.chain
            if chain == nil { state.misses += 1 } else { state.hits += 1 }
            return chain
        }
    }

    func keep(_ chain: VerifiedChain, as key: Digest) {
        state.withLock { state in
            state.uses += 1
            state.entries[key] = Entry(chain: chain, lastUse: state.uses)
            guard state.entries.count > capacity,
                let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
            else { return }
            state.entries[oldest] = nil
        }
    }
}
