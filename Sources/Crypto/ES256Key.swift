import COpenSSL

/// A public key on the curve P-256, which checks signatures of the JOSE algorithm ES256 (RFC 7518 §3.4).
package final class ES256Key: Sendable {
    /// How many bytes a signature has.
    package static let signatureLength = 64
    /// How many bytes an uncompressed point has.
    package static let pointLength = 65
    /// What stands before the point in the key's DER form (RFC 5480): a key of elliptic curves, on P-256 by its name.
    private static let prefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE,
        0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    // Sound: a public key is only read once it is made, and OpenSSL counts its references atomically.
    private nonisolated(unsafe) let key: OpaquePointer

    /// The certificate's key; `nil` unless it lies on P-256 and says so by the curve's name. Parameters spelled out could be a
    /// curve of somebody's own on which a public key proves nothing.
    init?(of certificate: Certificate) {
        guard
            let key = X509_get0_pubkey(certificate.x509), EVP_PKEY_get_base_id(key) == EVP_PKEY_EC,
            Self.curve(of: key) == "prime256v1", !Self.spellsOutItsCurve(key), EVP_PKEY_up_ref(key) == 1
        else {
            ERR_clear_error()
            return nil
        }
        self.key = key
    }

    /// The key with this point, uncompressed; nil unless the point lies on P-256.
    package init?(point: [UInt8]) {
        guard point.count == Self.pointLength, point[0] == 4 else { return nil }
        let der = Self.prefix + point
        let key: OpaquePointer? = der.withUnsafeBufferPointer { bytes in
            var place = bytes.baseAddress
            return d2i_PUBKEY(nil, &place, bytes.count)
        }
        guard let key else {
            ERR_clear_error()
            return nil
        }
        self.key = key
    }

    deinit {
        EVP_PKEY_free(key)
    }

    /// Whether `signature` (r and s, 32 bytes each) is one of `message` by this key.
    package func verifies(_ signature: [UInt8], of message: UnsafeRawBufferPointer) -> Bool {
        guard signature.count == Self.signatureLength, let context = EVP_MD_CTX_new() else { return false }
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        let der = Self.der(signature)
        let start = message.bindMemory(to: UInt8.self).baseAddress
        return EVP_DigestVerifyInit_ex(context, nil, "SHA256", nil, nil, key, nil) == 1
            && EVP_DigestVerify(context, der, der.count, start, message.count) == 1
    }

    /// Whether `signature` is one of the UTF-8 bytes of `message` by this key.
    package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        message.withUnsafeBytes { verifies(signature, of: $0) }
    }

    /// What a curve is called by OpenSSL, such as `prime256v1`.
    static func curve(of key: OpaquePointer) -> String? {
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1 else { return nil }
        return String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static func spellsOutItsCurve(_ key: OpaquePointer) -> Bool {
        var isExplicit: Int32 = 1
        let isKnown = EVP_PKEY_get_int_param(key, OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS, &isExplicit) == 1
        return !isKnown || isExplicit != 0
    }

    /// The two numbers as OpenSSL wants them: a DER sequence of two integers.
    private static func der(_ signature: [UInt8]) -> [UInt8] {
        let half = signatureLength / 2
        let numbers = integer(signature[..<half]) + integer(signature[half...])
        return [0x30, UInt8(numbers.count)] + numbers
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(bytes.drop { $0 == 0 })
        // A first bit that is set would make it negative, and zero has one digit.
        if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
        return [0x02, UInt8(digits.count)] + digits
    }
}
