import COpenSSL

/// Algorithms looked up once: OpenSSL 3 otherwise searches its providers at every use, which takes longer than hashing a
/// short input. `nil` when no provider offers them.
enum Algorithms {
    // Sound because a fetched algorithm is immutable, OpenSSL counts its references atomically, and it is never freed.
    nonisolated(unsafe) static let sha256: OpaquePointer? = EVP_MD_fetch(nil, "SHA256", nil)
    // Sound for the same reason.
    nonisolated(unsafe) static let hmac: OpaquePointer? = EVP_MAC_fetch(nil, "HMAC", nil)
    // Sound for the same reason.
    nonisolated(unsafe) static let aes256GCM: OpaquePointer? = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
}
