import COpenSSL

/// HMAC with SHA-256 (RFC 2104) over input that arrives in pieces.
package struct HMACSHA256: ~Copyable {
    private let context: OpaquePointer
    private var failed = false

    /// A code over nothing yet, under `key`, which may have any length.
    package init(key: [UInt8]) throws(CryptoError) {
        guard let algorithm = Algorithms.hmac, let context = EVP_MAC_CTX_new(algorithm) else {
            throw .algorithmUnavailable
        }
        self.context = context
        failed = !Self.start(context, key: key)
    }

    deinit {
        EVP_MAC_CTX_free(context)
    }

    /// Takes in more bytes; a failure is remembered and thrown by `finish`.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress, !bytes.isEmpty else { return }
        if EVP_MAC_update(context, start, bytes.count) != 1 { failed = true }
    }

    /// Takes in more bytes.
    package mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// The code of all that was taken in; check one that was presented with `Digest.matches`.
    package consuming func finish() throws(CryptoError) -> Digest {
        // The context is freed here, visibly after its last use, instead of in `deinit`.
        let (context, failed) = (context, failed)
        discard self
        defer { EVP_MAC_CTX_free(context) }
        guard !failed else { throw .algorithmUnavailable }
        return try Digest { target in
            var length = 0
            return EVP_MAC_final(context, target, &length, Digest.count) == 1 && length == Digest.count
        }
    }

    /// The code of `bytes` under `key`.
    package static func authenticate(_ bytes: [UInt8], key: [UInt8]) throws(CryptoError) -> Digest {
        var code = try HMACSHA256(key: key)
        code.update(bytes)
        return try code.finish()
    }

    private static func start(_ context: OpaquePointer, key: [UInt8]) -> Bool {
        // A parameter holds the addresses of its name and value, so both must outlive the call that reads it.
        var value = Array("SHA256".utf8CString)
        return value.withUnsafeMutableBufferPointer { value in
            OSSL_MAC_PARAM_DIGEST.withCString { name in
                let parameters = [
                    OSSL_PARAM_construct_utf8_string(name, value.baseAddress, 0), OSSL_PARAM_construct_end(),
                ]
                // A null key means "keep the one from before" to OpenSSL: an empty key needs an address of its own.
                return (key.isEmpty ? [0] : key).withUnsafeBufferPointer { bytes in
                    EVP_MAC_init(context, bytes.baseAddress, key.count, parameters) == 1
                }
            }
        }
    }
}
