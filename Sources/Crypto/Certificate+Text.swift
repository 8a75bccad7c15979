import COpenSSL

/// Certificates as files hold them and as people read them.
extension Certificate {
    /// The subject on one line in the form of RFC 2253, ASCII only: `CN=Example Root,O=Example`.
    package var subject: String { Self.line(X509_get_subject_name(x509)) }

    /// The issuer, in the same form.
    package var issuer: String { Self.line(X509_get_issuer_name(x509)) }

    /// Its key in words, such as `EC secp384r1` or `RSA 2048`.
    package var keyDescription: String {
        guard let key = X509_get0_pubkey(x509) else { return "unreadable" }
        let bits = EVP_PKEY_get_bits(key)
        switch EVP_PKEY_get_base_id(key) {
        case EVP_PKEY_EC: return "EC \(ES256Key.curve(of: key) ?? "\(bits) bits")"
        case EVP_PKEY_RSA, EVP_PKEY_RSA_PSS: return "RSA \(bits)"
        default: return "\(EVP_PKEY_get0_type_name(key).map { String(cString: $0) } ?? "key") \(bits)"
        }
    }

    /// Every certificate of a PEM text; `nil` unless there is at least one and everything marked as PEM is one.
    ///
    /// Text outside the marks is a comment, as everywhere.
    package static func pem(_ bytes: [UInt8]) -> [Certificate]? {
        guard let length = Int32(exactly: bytes.count), length > 0 else { return nil }
        let marks = beginnings(in: bytes)
        defer { ERR_clear_error() }
        let certificates: [Certificate] = bytes.withUnsafeBytes { bytes in
            guard let source = BIO_new_mem_buf(bytes.baseAddress, length) else { return [] }
            defer { BIO_free(source) }
            var certificates: [Certificate] = []
            // The callback stands in for OpenSSL's own, which would ask for a password at the terminal.
            while let x509 = PEM_read_bio_X509(source, nil, { _, _, _, _ in 0 }, nil) {
                guard let certificate = Certificate(owning: x509) else { return [] }
                certificates.append(certificate)
            }
            return certificates
        }
        return certificates.isEmpty || certificates.count != marks ? nil : certificates
    }

    private static func beginnings(in bytes: [UInt8]) -> Int {
        let mark = Array("-----BEGIN ".utf8)
        var count = 0
        var rest = bytes[...]
        while let dash = rest.firstIndex(of: mark[0]) {
            rest = rest[dash...]
            if rest.starts(with: mark) {
                count += 1
                rest = rest.dropFirst(mark.count)
            } else {
                rest = rest.dropFirst()
            }
        }
        return count
    }

    private static func line(_ name: OpaquePointer?) -> String {
        guard let name, let target = BIO_new(BIO_s_mem()) else { return "" }
        defer { BIO_free(target) }
        guard X509_NAME_print_ex(target, name, 0, assent_name_form) >= 0 else { return "" }
        var start: UnsafeMutableRawPointer?
        let length = BIO_ctrl(target, BIO_CTRL_INFO, 0, &start)
        guard let start, length > 0 else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
    }
}
