import Crypto

/// The root certificates that the operator trusts the store's signatures by; never empty.
package struct TrustedRoots: Sendable {
    /// A file beyond this is refused unread.
    package static let largestFile = 256 * 1024

    /// One root, as shown at start and by `doctor`.
    package struct Root: Sendable, Hashable {
        /// One line in the form of RFC 2253, such as `CN=Example Root,O=Example`.
        package let subject: String
        /// SHA-256 of the certificate, 64 lower-case hexadecimal digits.
        package let fingerprint: String
        /// From when and until when it is valid, in microseconds since the Unix epoch.
        package let validity: ClosedRange<Int64>
    }

    /// In the order given, each certificate once.
    package let roots: [Root]
    let anchors: TrustAnchors

    /// Reads files: PEM with one or more certificates, or DER with one. `nil` when no file is given, because a store without
    /// roots verifies nothing.
    package init?(files: [(name: String, bytes: [UInt8])]) throws(RootFileFault) {
        var certificates: [Certificate] = []
        for file in files {
            for certificate in try Self.read(file.bytes, of: file.name)
            where !certificates.contains(where: { $0.fingerprint == certificate.fingerprint }) {
                certificates.append(certificate)
            }
        }
        guard !certificates.isEmpty else { return nil }
        anchors = TrustAnchors(certificates)
        roots = certificates.map {
            Root(
                subject: $0.subject, fingerprint: Hexadecimal.encode($0.fingerprint.bytes), validity: $0.validity)
        }
    }

    private static func read(_ bytes: [UInt8], of file: String) throws(RootFileFault) -> [Certificate] {
        guard bytes.count <= largestFile else { throw RootFileFault(file: file, reason: .tooLarge) }
        let certificates = Certificate(der: bytes).map { [$0] } ?? Certificate.pem(bytes)
        guard let certificates else { throw RootFileFault(file: file, reason: .damaged) }
        for certificate in certificates {
            guard certificate.isAuthority, certificate.mayCertify != false else {
                throw RootFileFault(file: file, reason: .notAuthority(subject: certificate.subject))
            }
            guard certificate.isSelfIssued else {
                throw RootFileFault(file: file, reason: .notSelfIssued(subject: certificate.subject))
            }
        }
        return certificates
    }
}
