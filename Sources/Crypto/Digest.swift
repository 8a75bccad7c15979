import COpenSSL

/// Thirty-two bytes that SHA-256 or HMAC-SHA-256 produced, kept without a heap allocation.
///
/// `==` is for digests that are no secret, such as cache keys; compare with what a caller presented by `matches`.
package struct Digest: Hashable, Sendable {
    /// How many bytes a digest has.
    package static let count = 32

    // The bytes in memory order, whatever the machine's byte order.
    private let word0: UInt64
    private let word1: UInt64
    private let word2: UInt64
    private let word3: UInt64

    /// A digest kept elsewhere, or `nil` unless there are exactly 32 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.count else { return nil }
        self = bytes.withUnsafeBytes { Digest(loading: $0) }
    }

    /// Reads 32 bytes; the caller has made sure of the length.
    private init(loading bytes: UnsafeRawBufferPointer) {
        word0 = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        word1 = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        word2 = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        word3 = bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    }

    /// A digest from what `fill` writes into 32 bytes; it returns whether it succeeded.
    init(fill: (UnsafeMutablePointer<UInt8>) -> Bool) throws(CryptoError) {
        let digest = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.count) { buffer -> Digest? in
            guard let start = buffer.baseAddress else { return nil }
            buffer.initialize(repeating: 0)
            return fill(start) ? Digest(loading: UnsafeRawBufferPointer(buffer)) : nil
        }
        guard let digest else { throw .algorithmUnavailable }
        self = digest
    }

    /// The 32 bytes.
    package var bytes: [UInt8] {
        withUnsafeBytes { Array($0) }
    }

    /// Lends the 32 bytes.
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        Swift.withUnsafeBytes(of: self, body)
    }

    /// Whether both are the same, in a time that does not depend on where they differ.
    package func matches(_ other: Digest) -> Bool {
        withUnsafeBytes { mine in
            other.withUnsafeBytes { CRYPTO_memcmp(mine.baseAddress, $0.baseAddress, Self.count) == 0 }
        }
    }
}
