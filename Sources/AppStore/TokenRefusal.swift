/// Why a token can never verify: nothing in it is to be believed, and sending it again changes nothing.
package struct TokenRefusal: Error, Sendable, Hashable {
    /// Stable names; the raw values appear in problems and logs and are never reused.
    package enum Reason: String, Sendable, CaseIterable {
        case tokenMalformed = "token-malformed"
        case headerMalformed = "header-malformed"
        case algorithmNotES256 = "algorithm-not-es256"
        case headerCritical = "header-critical"
        case chainLength = "chain-length"
        case certificateMalformed = "certificate-malformed"
        case signatureMalformed = "signature-malformed"

        case leafMarkMissing = "leaf-mark-missing"
        case leafIsAuthority = "leaf-is-authority"
        case leafKeyUsage = "leaf-key-usage"
        case leafKeyNotP256 = "leaf-key-not-p256"
        case intermediateMarkMissing = "intermediate-mark-missing"
        case intermediateNotAuthority = "intermediate-not-authority"
        case intermediateKeyUsage = "intermediate-key-usage"
        case leafNotIssuedByIntermediate = "leaf-not-issued-by-intermediate"
        case rootNotTrusted = "root-not-trusted"
        case leafSignatureInvalid = "leaf-signature-invalid"
        case intermediateSignatureInvalid = "intermediate-signature-invalid"
        case chainTooWeak = "chain-too-weak"
        case chainInvalid = "chain-invalid"

        case signatureInvalid = "signature-invalid"

        case payloadMalformed = "payload-malformed"
        case wrongKind = "wrong-kind"
        case dateMissing = "date-missing"
        case dateInvalid = "date-invalid"

        case certificateNotYetValid = "certificate-not-yet-valid"
        case certificateExpired = "certificate-expired"

        case environmentUnsigned = "environment-unsigned"

        /// The step that finds it.
        package var step: VerificationStep {
            switch self {
            case .tokenMalformed, .headerMalformed, .algorithmNotES256, .headerCritical, .chainLength,
                .certificateMalformed, .signatureMalformed:
                .structure
            case .leafMarkMissing, .leafIsAuthority, .leafKeyUsage, .leafKeyNotP256, .intermediateMarkMissing,
                .intermediateNotAuthority, .intermediateKeyUsage, .leafNotIssuedByIntermediate, .rootNotTrusted,
                .leafSignatureInvalid, .intermediateSignatureInvalid, .chainTooWeak, .chainInvalid:
                .chain
            case .signatureInvalid: .signature
            case .payloadMalformed, .wrongKind, .dateMissing, .dateInvalid: .payload
            case .certificateNotYetValid, .certificateExpired: .dates
            case .environmentUnsigned: .identity
            }
        }
    }

    package let reason: Reason
    /// One plain English sentence for whoever operates the server; repeats nothing of the payload but names of kinds.
    package let detail: String

    package init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
