import Glibc

/// Unpredictable words for ids, from the system in blocks: a batch needs many, and asking for 32 at once takes hardly longer than for
/// one. Belongs to one batch.
struct BlockRandom: RandomNumberGenerator {
    /// 256 bytes, the most that `getentropy` (man 3) gives at once.
    private static let blockSize = 32

    private var words: [UInt64] = []

    mutating func next() -> UInt64 {
        if let word = words.popLast() { return word }
        words = [UInt64](repeating: 0, count: Self.blockSize)
        let filled = words.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { getentropy($0, bytes.count) } == 0
        }
        if !filled { words = [] }
        var system = SystemRandomNumberGenerator()
        return words.popLast() ?? system.next()
    }
}
