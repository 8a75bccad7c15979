import COpenSSL

/// SHA-256 over input that arrives in pieces, without joining them.
///
/// Pieces leave no trace of where one ended: whoever hashes several fields separates them itself.
package struct SHA256: ~Copyable {
    private let context: OpaquePointer
    private var failed = false

    /// A hash of nothing yet.
    package init() throws(CryptoError) {
        guard let algorithm = Algorithms.sha256, let context = EVP_MD_CTX_new() else {
            throw .algorithmUnavailable
        }
        self.context = context
        failed = EVP_DigestInit_ex2(context, algorithm, nil) != 1
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// Takes in more bytes; a failure is remembered and thrown by `finish`.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        if EVP_DigestUpdate(context, start, bytes.count) != 1 { failed = true }
    }

    /// Takes in more bytes.
    package mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Takes in the UTF-8 bytes of a string.
    package mutating func update(utf8 text: String) {
        var text = text
        text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
    }

    /// The hash of all that was taken in.
    package consuming func finish() throws(CryptoError) -> Digest {
        // The context is freed here, visibly after its last use, instead of in `deinit`.
        let (context, failed) = (context, failed)
        discard self
        defer { EVP_MD_CTX_free(context) }
        guard !failed else { throw .algorithmUnavailable }
        return try Digest { EVP_DigestFinal_ex(context, $0, nil) == 1 }
    }

    /// The hash of `bytes`.
    package static func hash(_ bytes: [UInt8]) throws(CryptoError) -> Digest {
        var hash = try SHA256()
        hash.update(bytes)
        return try hash.finish()
    }

    /// The hash of a string's UTF-8 bytes.
    package static func hash(utf8 text: String) throws(CryptoError) -> Digest {
        var hash = try SHA256()
        hash.update(utf8: text)
        return try hash.finish()
    }
}
