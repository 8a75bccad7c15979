import COpenSSL

/// A private key made for a test; never changed once made.
package final class SigningKey: Sendable {
    /// What sort of key.
    package enum Kind: Sendable, Hashable {
        /// A named curve, such as `P-256`.
        case curve(String)
        case rsa(bits: Int)
    }

    package struct Failure: Error {
        package let step: String
    }

    // Sound: only read after `init`.
    nonisolated(unsafe) let pointer: OpaquePointer

    package init(_ kind: Kind) throws {
        let context: OpaquePointer? =
            switch kind {
            case .curve: EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
            case .rsa: EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
            }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_keygen_init(context) == 1 else { throw Failure(step: "keygen init") }
        switch kind {
        case .curve(let name):
            guard EVP_PKEY_CTX_set_group_name(context, name) == 1 else { throw Failure(step: "curve") }
        case .rsa(let bits):
            guard EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits)) == 1 else { throw Failure(step: "bits") }
        }
        var key: OpaquePointer?
        guard EVP_PKEY_generate(context, &key) == 1, let key else { throw Failure(step: "generate") }
        pointer = key
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    /// The same key with the curve's parameters spelled out instead of named, in the certificates made for it.
    package func spellOutCurve() {
        EVP_PKEY_set_utf8_string_param(pointer, OSSL_PKEY_PARAM_EC_ENCODING, OSSL_PKEY_EC_ENCODING_EXPLICIT)
    }

    /// r and s, each of `width` bytes: 32 for P-256.
    package func sign(_ message: [UInt8], digest: String = "SHA256", width: Int = 32) throws -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw Failure(step: "context") }
        defer { EVP_MD_CTX_free(context) }
        var length = 0
        guard EVP_DigestSignInit_ex(context, nil, digest, nil, nil, pointer, nil) == 1,
            EVP_DigestSign(context, nil, &length, message, message.count) == 1
        else { throw Failure(step: "sign") }
        var der = [UInt8](repeating: 0, count: length)
        guard EVP_DigestSign(context, &der, &length, message, message.count) == 1 else { throw Failure(step: "sign") }
        der.removeLast(der.count - length)
        return try Self.raw(der, width: width)
    }

    private static func raw(_ der: [UInt8], width: Int) throws -> [UInt8] {
        var start: UnsafePointer<UInt8>?
        let signature: OpaquePointer? = der.withUnsafeBufferPointer {
            start = $0.baseAddress
            return d2i_ECDSA_SIG(nil, &start, $0.count)
        }
        guard let signature else { throw Failure(step: "signature") }
        defer { ECDSA_SIG_free(signature) }
        var raw = [UInt8](repeating: 0, count: width * 2)
        let isWritten = raw.withUnsafeMutableBufferPointer { raw in
            guard let start = raw.baseAddress else { return false }
            return BN_bn2binpad(ECDSA_SIG_get0_r(signature), start, Int32(width)) == width
                && BN_bn2binpad(ECDSA_SIG_get0_s(signature), start + width, Int32(width)) == width
        }
        guard isWritten else { throw Failure(step: "raw signature") }
        return raw
    }
}
