import COpenSSL

/// AES-256 in Galois/Counter Mode (NIST SP 800-38D) with a random nonce of 12 bytes and a tag of 16.
enum AES256GCM {
    private static let nonceLength = 12
    private static let tagLength = 16
    /// How many bytes more than the plain text the sealed one has.
    static let overhead = nonceLength + tagLength

    /// Nonce, ciphertext and tag of a text that opens only with the same associated data.
    static func seal(_ plain: [UInt8], key: [UInt8], with associated: [UInt8]) throws(CryptoError) -> [UInt8] {
        let nonce = try SecureRandom.bytes(nonceLength)
        guard let cipher = Algorithms.aes256GCM, let context = EVP_CIPHER_CTX_new() else {
            throw .algorithmUnavailable
        }
        defer { EVP_CIPHER_CTX_free(context) }
        var sealed = [UInt8](repeating: 0, count: plain.count)
        var tag = [UInt8](repeating: 0, count: tagLength)
        var length: Int32 = 0
        guard key.count == SecretKey.length, let plainLength = Int32(exactly: plain.count),
            let associatedLength = Int32(exactly: associated.count),
            EVP_EncryptInit_ex2(context, cipher, key, nonce, nil) == 1,
            EVP_EncryptUpdate(context, nil, &length, associated, associatedLength) == 1,
            EVP_EncryptUpdate(context, &sealed, &length, plain, plainLength) == 1, length == plainLength,
            // GCM is a stream: nothing is left for the end but the tag.
            EVP_EncryptFinal_ex(context, &tag, &length) == 1, length == 0,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagLength), &tag) == 1
        else {
            ERR_clear_error()
            throw .algorithmUnavailable
        }
        return nonce + sealed + tag
    }

    /// The text that was sealed with this associated data; nil where anything of it was altered.
    static func open(_ sealed: [UInt8], key: [UInt8], with associated: [UInt8]) throws(CryptoError) -> [UInt8]? {
        guard sealed.count >= overhead else { return nil }
        guard let cipher = Algorithms.aes256GCM, let context = EVP_CIPHER_CTX_new() else {
            throw .algorithmUnavailable
        }
        defer {
            EVP_CIPHER_CTX_free(context)
            ERR_clear_error()
        }
        let nonce = Array(sealed.prefix(nonceLength))
        let text = Array(sealed.dropFirst(nonceLength).dropLast(tagLength))
        var tag = Array(sealed.suffix(tagLength))
        var plain = [UInt8](repeating: 0, count: text.count)
        var rest = [UInt8](repeating: 0, count: tagLength)
        var length: Int32 = 0
        guard key.count == SecretKey.length, let textLength = Int32(exactly: text.count),
            let associatedLength = Int32(exactly: associated.count),
            EVP_DecryptInit_ex2(context, cipher, key, nonce, nil) == 1,
            EVP_DecryptUpdate(context, nil, &length, associated, associatedLength) == 1,
            EVP_DecryptUpdate(context, &plain, &length, text, textLength) == 1, length == textLength,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagLength), &tag) == 1
        else { throw .algorithmUnavailable }
        return EVP_DecryptFinal_ex(context, &rest, &length) == 1 ? plain : nil
    }
}
