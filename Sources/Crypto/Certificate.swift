import COpenSSL

/// One X.509 certificate, read once and never changed.
package final class Certificate: Sendable {
    // Sound: nothing writes to it after `init`, where OpenSSL filled its own cache of decoded extensions.
    nonisolated(unsafe) let x509: OpaquePointer
    /// SHA-256 of its DER bytes.
    package let fingerprint: Digest
    /// From when until when it is valid, in whole seconds as microseconds since the Unix epoch. As in OpenSSL it is valid no
    /// more at the second of the upper bound.
    package let validity: ClosedRange<Int64>

    /// Reads DER; `nil` unless the bytes are exactly one certificate whose extensions can be read.
    package convenience init?(der: [UInt8]) {
        let x509: OpaquePointer? = der.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return nil }
            var end: UnsafePointer<UInt8>? = start
            guard let x509 = d2i_X509(nil, &end, bytes.count) else { return nil }
            guard end == start + bytes.count else {
                X509_free(x509)
                return nil
            }
            return x509
        }
        guard let x509 else {
            ERR_clear_error()
            return nil
        }
        self.init(owning: x509)
    }

    /// Takes over a reference, also when it fails.
    init?(owning x509: OpaquePointer) {
        let fingerprint = try? Digest { X509_digest(x509, Algorithms.sha256, $0, nil) == 1 }
        guard
            X509_get_extension_flags(x509) & UInt32(EXFLAG_INVALID) == 0, let fingerprint,
            let start = Self.microseconds(X509_get0_notBefore(x509)),
            let end = Self.microseconds(X509_get0_notAfter(x509)), start <= end
        else {
            ERR_clear_error()
            X509_free(x509)
            return nil
        }
        self.x509 = x509
        self.fingerprint = fingerprint
        validity = start...end
    }

    deinit {
        X509_free(x509)
    }

    /// Whether it is an authority's, by its basic constraints alone.
    package var isAuthority: Bool { X509_get_extension_flags(x509) & UInt32(EXFLAG_CA) != 0 }

    /// Whether its subject and its issuer are the same name.
    package var isSelfIssued: Bool { X509_get_extension_flags(x509) & UInt32(EXFLAG_SI) != 0 }

    /// Whether its key usage includes signing certificates; `nil` without that extension.
    package var mayCertify: Bool? { keyUsage.map { $0 & UInt32(KU_KEY_CERT_SIGN) != 0 } }

    /// Whether its key usage includes signing data; `nil` without that extension.
    package var maySign: Bool? { keyUsage.map { $0 & UInt32(KU_DIGITAL_SIGNATURE) != 0 } }

    private var keyUsage: UInt32? {
        let usage = X509_get_key_usage(x509)
        return usage == UInt32.max ? nil : usage
    }

    /// Whether it has an extension, critical or not.
    ///
    /// - Parameter oid: in digits and dots.
    package func hasExtension(_ oid: String) -> Bool {
        guard let object = OBJ_txt2obj(oid, 1) else { return false }
        defer { ASN1_OBJECT_free(object) }
        return X509_get_ext_by_OBJ(x509, object, -1) >= 0
    }

    /// Whether the issuer it names is the subject of `other`.
    package func names(issuer other: Certificate) -> Bool {
        X509_NAME_cmp(X509_get_issuer_name(x509), X509_get_subject_name(other.x509)) == 0
    }

    /// Its key, if that is one for ES256.
    package var es256Key: ES256Key? { ES256Key(of: self) }

    private static func microseconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard let time, let epoch = ASN1_TIME_set(nil, 0) else { return nil }
        defer { ASN1_STRING_free(epoch) }
        guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
        return (Int64(days) * 86_400 + Int64(seconds)) * 1_000_000
    }
}
