import Synchronization

/// Unpredictable 64-bit words for ids, drawn ahead in blocks; its lock owns the block, any thread may ask.
///
/// One call of the generator costs about 0.7 microseconds whether it yields 8 bytes or 512, so a block makes a word
/// nearly free. A word leaves the block when it is handed out: memory never shows ids of the past. A copy of the
/// process made by `fork` would repeat the block; nothing here forks without `exec`.
package final class RandomSource: Sendable {
    private struct Block {
        var words: [UInt64] = []
        var next = 0
    }

    private static let blockSize = 256
    private let block = Mutex(Block())

    package init() {}

    /// One word; a failing generator throws, and nothing weaker stands in.
    package func word() throws(CryptoError) -> UInt64 {
        let word: UInt64? = block.withLock { block in
            if block.next == block.words.count, !Self.refill(&block) { return nil }
            let word = block.words[block.next]
            block.words[block.next] = 0
            block.next += 1
            return word
        }
        guard let word else { throw .randomUnavailable }
        return word
    }

    /// Leaves an empty block behind when the generator fails, so that the next call tries again.
    private static func refill(_ block: inout Block) -> Bool {
        block.next = 0
        if block.words.isEmpty { block.words = [UInt64](repeating: 0, count: blockSize) }
        let filled = block.words.withUnsafeMutableBytes { SecureRandom.fill($0) }
        if !filled { block.words = [] }
        return filled
    }
}
