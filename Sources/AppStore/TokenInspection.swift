import Crypto
import JSON

/// What a token says of itself, believed or not: for explaining to a person why it does or does not verify.
package struct TokenInspection: Sendable {
    /// One entry of `x5c`.
    package struct Entry: Sendable, Hashable {
        /// In the form of RFC 2253.
        package let subject: String
        package let issuer: String
        /// Such as `EC prime256v1`.
        package let key: String
        /// SHA-256, 64 lower-case hexadecimal digits.
        package let fingerprint: String
        /// In microseconds since the Unix epoch.
        package let validity: ClosedRange<Int64>
    }

    /// The header's `alg`, if it is a text.
    package let algorithm: String?
    /// Every entry of `x5c`; nil for one that cannot be read.
    package let certificates: [Entry?]
    /// Such as `a notification`; nil where the payload cannot be read.
    package let kind: String?
    /// Whom the payload says it is about, as a registration that fits it; nil where it does not say.
    package let claim: AppStoreRegistration?

    package init(_ token: String) {
        let parts = Array(token.utf8).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let header = parts.first.flatMap { Self.read($0) { Self.header($0) } }
        let payload = parts.dropFirst().first.flatMap { Self.read($0) { Self.payload($0) } }
        algorithm = header?.algorithm
        certificates = header?.certificates ?? []
        kind = payload?.kind.rawValue
        claim = payload?.claim
    }

    private static func read<Value>(_ part: ArraySlice<UInt8>, _ read: (ObjectReader) -> Value) -> Value? {
        guard let bytes = Base64URL.decode(part), let document = try? JSONDocument.parse(bytes) else { return nil }
        return try? document.readObject { object in
            object.ignoreOthers()
            return read(object)
        }
    }

    private static func header(_ header: ObjectReader) -> (algorithm: String?, certificates: [Entry?]) {
        var entries: [Entry?] = []
        if header.kind("x5c") == .array {
            _ = header.array("x5c", count: 0...Int.max) { entry -> Bool? in
                let text = entry.kind == .string ? entry.string() : nil
                entries.append(text.flatMap { Base64.decode($0) }.flatMap { Certificate(der: $0) }.map { Entry($0) })
                return true
            }
        }
        return (header.text("alg").value, entries)
    }

    private static func payload(_ payload: ObjectReader) -> (kind: PayloadKind, claim: AppStoreRegistration?) {
        let kind = PayloadKind(of: payload)
        guard kind == .notification else {
            return (kind, AppTransactionDraft.identity(of: payload).claim)
        }
        let subjects = NotificationDraft.subjects(of: payload)
        return (kind, subjects.count == 1 ? subjects.first?.fields?.identity.claim : nil)
    }
}

extension TokenInspection.Entry {
    fileprivate init(_ certificate: Certificate) {
        self.init(
            subject: certificate.subject, issuer: certificate.issuer, key: certificate.keyDescription,
            fingerprint: Hexadecimal.encode(certificate.fingerprint.bytes), validity: certificate.validity)
    }
}

extension IdentityFields {
    /// A registration that fits these members, if they say enough.
    fileprivate var claim: AppStoreRegistration? {
        bundleID.value.map {
            AppStoreRegistration(
                bundleID: $0, appAppleID: appAppleIDText, environments: Set(AppStoreEnvironment.allCases))
        }
    }
}
