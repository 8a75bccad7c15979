import COpenSSL

/// Unpredictable bytes for secrets, from OpenSSL's generator, which the system seeds.
package enum SecureRandom {
    /// Exactly `count` bytes (none for 0 or less); a failing generator throws, and nothing weaker stands in.
    package static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        var filled = true
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, initialized in
            buffer.initialize(repeating: 0)
            initialized = buffer.count
            filled = fill(UnsafeMutableRawBufferPointer(buffer))
        }
        guard filled else { throw .randomUnavailable }
        return bytes
    }

    static func fill(_ target: UnsafeMutableRawBufferPointer) -> Bool {
        guard target.count > 0 else { return true }
        guard let size = Int32(exactly: target.count) else { return false }
        return RAND_bytes(target.bindMemory(to: UInt8.self).baseAddress, size) == 1
    }
}
