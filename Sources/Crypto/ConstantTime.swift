import COpenSSL

/// Comparison of secrets in a time that does not depend on where they differ.
package enum ConstantTime {
    /// Whether both hold the same bytes; only their lengths show in the time taken.
    package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return left.withUnsafeBytes { left in
            right.withUnsafeBytes { CRYPTO_memcmp(left.baseAddress, $0.baseAddress, left.count) == 0 }
        }
    }
}
