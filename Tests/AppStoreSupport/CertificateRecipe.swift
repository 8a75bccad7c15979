import COpenSSL

/// A certificate to be made for a test: change one thing, `make` it, and everything else is as the store has it.
package struct CertificateRecipe: Sendable {
    /// Common name.
    package var subject: String
    /// Common name of the issuer.
    package var issuer: String
    package var key: SigningKey
    package var issuerKey: SigningKey
    /// The key that the authority key identifier tells of, where that is not the one that signs.
    package var authorityKey: SigningKey?
    /// Seconds since the Unix epoch.
    package var notBefore: Int
    package var notAfter: Int
    /// Of the issuer's signature.
    package var digest = "SHA256"
    /// Values as OpenSSL's configuration has them; nil leaves the extension out.
    package var basicConstraints: String?
    package var keyUsage: String?
    /// Extensions in digits and dots, each with the value NULL.
    package var marks: [String]
    /// Whether the marks are critical.
    package var marksAreCritical = false
    package var serial = 1
    /// Whether subject and authority key identifiers are added.
    package var identifiesKeys = true

    /// DER of the certificate.
    package func make() throws -> [UInt8] {
        guard let x509 = X509_new() else { throw SigningKey.Failure(step: "certificate") }
        defer { X509_free(x509) }
        X509_set_version(x509, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(x509), serial)
        try Self.name(X509_get_subject_name(x509), subject)
        let issuerName = X509_NAME_new()
        defer { X509_NAME_free(issuerName) }
        try Self.name(issuerName, issuer)
        X509_set_issuer_name(x509, issuerName)
        ASN1_TIME_set(X509_getm_notBefore(x509), notBefore)
        ASN1_TIME_set(X509_getm_notAfter(x509), notAfter)
        X509_set_pubkey(x509, key.pointer)
        try addExtensions(to: x509)
        guard X509_sign(x509, issuerKey.pointer, EVP_get_digestbyname(digest)) > 0 else {
            throw SigningKey.Failure(step: "certificate's signature")
        }
        var bytes: UnsafeMutablePointer<UInt8>?
        let length = i2d_X509(x509, &bytes)
        guard let bytes, length > 0 else { throw SigningKey.Failure(step: "certificate's bytes") }
        defer { CRYPTO_free(bytes, "", 0) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(length)))
    }

    private func addExtensions(to x509: OpaquePointer) throws {
        // The authority's key identifier is made from a certificate that holds its key.
        let authority = X509_new()
        defer { X509_free(authority) }
        X509_set_pubkey(authority, (authorityKey ?? issuerKey).pointer)
        if identifiesKeys {
            try Self.add(NID_subject_key_identifier, "hash", to: x509, issuer: x509)
            try Self.add(NID_subject_key_identifier, "hash", to: authority, issuer: authority)
            try Self.add(NID_authority_key_identifier, "keyid:always", to: x509, issuer: authority)
        }
        if let basicConstraints { try Self.add(NID_basic_constraints, basicConstraints, to: x509, issuer: x509) }
        if let keyUsage { try Self.add(NID_key_usage, keyUsage, to: x509, issuer: x509) }
        for mark in marks {
            guard let object = OBJ_txt2obj(mark, 1), let value = ASN1_OCTET_STRING_new() else {
                throw SigningKey.Failure(step: "mark")
            }
            defer {
                ASN1_OBJECT_free(object)
                ASN1_OCTET_STRING_free(value)
            }
            ASN1_OCTET_STRING_set(value, [0x05, 0x00], 2)
            let entry = X509_EXTENSION_create_by_OBJ(nil, object, marksAreCritical ? 1 : 0, value)
            defer { X509_EXTENSION_free(entry) }
            guard X509_add_ext(x509, entry, -1) == 1 else { throw SigningKey.Failure(step: "mark") }
        }
    }

    private static func add(
        _ kind: Int32, _ value: String, to x509: OpaquePointer?, issuer: OpaquePointer?
    ) throws {
        var context = v3_ext_ctx()
        X509V3_set_ctx(&context, issuer, x509, nil, nil, 0)
        guard let entry = X509V3_EXT_nconf_nid(nil, &context, kind, value) else {
            throw SigningKey.Failure(step: "extension \(value)")
        }
        defer { X509_EXTENSION_free(entry) }
        guard X509_add_ext(x509, entry, -1) == 1 else { throw SigningKey.Failure(step: "extension \(value)") }
    }

    private static func name(_ name: OpaquePointer?, _ text: String) throws {
        // MBSTRING_UTF8
        guard X509_NAME_add_entry_by_NID(name, NID_commonName, 0x1000, text, Int32(text.utf8.count), -1, 0) == 1 else {
            throw SigningKey.Failure(step: "name")
        }
    }
}
