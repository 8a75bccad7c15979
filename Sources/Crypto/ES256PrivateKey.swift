import COpenSSL

/// A private key on the curve P-256, which signs by the JOSE algorithm ES256 (RFC 7518 §3.4).
package final class ES256PrivateKey: Sendable {
    // Sound: the key is only read once it is made, and OpenSSL counts its references atomically.
    private nonisolated(unsafe) let key: OpaquePointer

    private init(owning key: OpaquePointer) {
        self.key = key
    }

    deinit {
        EVP_PKEY_free(key)
    }

    /// A fresh key from OpenSSL's generator.
    package static func generate() throws(CryptoError) -> ES256PrivateKey {
        guard let key = assent_p256_generate() else {
            ERR_clear_error()
            throw .algorithmUnavailable
        }
        return ES256PrivateKey(owning: key)
    }

    /// The key of a text that `der` made; nil for anything else.
    package init?(der: [UInt8]) {
        let key: OpaquePointer? = der.withUnsafeBufferPointer { bytes in
            var place = bytes.baseAddress
            return d2i_AutoPrivateKey(nil, &place, bytes.count)
        }
        guard let key else {
            ERR_clear_error()
            return nil
        }
        guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC, ES256Key.curve(of: key) == "prime256v1" else {
            EVP_PKEY_free(key)
            return nil
        }
        self.key = key
    }

    /// The key as a secret to be sealed and kept (RFC 5915).
    package func der() throws(CryptoError) -> [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let length = i2d_PrivateKey(key, &start)
        guard length > 0, let start else {
            ERR_clear_error()
            throw .algorithmUnavailable
        }
        defer { assent_clear_free(start, Int(length)) }
        return Array(UnsafeBufferPointer(start: start, count: Int(length)))
    }

    /// The public key's point, uncompressed: 4 and the coordinates x and y, 65 bytes.
    package func publicPoint() throws(CryptoError) -> [UInt8] {
        var point = [UInt8](repeating: 0, count: ES256Key.pointLength)
        var length = 0
        guard
            EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, &point, point.count, &length) == 1,
            length == point.count, point[0] == 4
        else {
            ERR_clear_error()
            throw .algorithmUnavailable
        }
        return point
    }

    /// A signature of `message`: r and s, 32 bytes each.
    package func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw .algorithmUnavailable }
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        var der = [UInt8](repeating: 0, count: 80)
        var length = der.count
        guard EVP_DigestSignInit_ex(context, nil, "SHA256", nil, nil, key, nil) == 1,
            EVP_DigestSign(context, &der, &length, message, message.count) == 1,
            let signature = Self.numbers(Array(der.prefix(length)))
        else { throw .algorithmUnavailable }
        return signature
    }

    /// The two numbers of a DER sequence of two integers, each 32 bytes long.
    private static func numbers(_ der: [UInt8]) -> [UInt8]? {
        let half = ES256Key.signatureLength / 2
        return der.withUnsafeBufferPointer { bytes in
            var place = bytes.baseAddress
            guard let signature = d2i_ECDSA_SIG(nil, &place, bytes.count) else { return nil }
            defer { ECDSA_SIG_free(signature) }
            var r = [UInt8](repeating: 0, count: half), s = r
            guard BN_bn2binpad(ECDSA_SIG_get0_r(signature), &r, Int32(half)) == half,
                BN_bn2binpad(ECDSA_SIG_get0_s(signature), &s, Int32(half)) == half
            else { return nil }
            return r + s
        }
    }
}
