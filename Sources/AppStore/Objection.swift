/// Why a genuine token is not usable here; a registration put right may make it so.
package struct Objection: Error, Sendable, Hashable {
    /// Stable names; the raw values appear in stored notifications and problems and are never reused.
    package enum Reason: String, Sendable, CaseIterable {
        /// A member that is needed is not there.
        case fieldMissing = "field-missing"
        /// A member has the wrong type, or a value that cannot be kept.
        case fieldInvalid = "field-invalid"
        /// None of `data`, `appData`, `summary` and `externalPurchaseToken`.
        case subjectMissing = "subject-missing"
        /// More than one of them.
        case subjectAmbiguous = "subject-ambiguous"
        case bundleMismatch = "bundle-mismatch"
        /// Another environment than those the app is registered for, or one nobody knows.
        case environmentMismatch = "environment-mismatch"
        case appMismatch = "app-mismatch"
        /// Production needs an App Store id to compare with, and the registration has none.
        case appNotRegistered = "app-not-registered"
        /// The token is dated more than five minutes ahead.
        case dateAhead = "date-ahead"
        /// The app transaction inside does not verify.
        case innerTokenRefused = "inner-token-refused"
        /// The app transaction inside verifies and is about another app or environment, or lacks a field.
        case innerTokenMismatch = "inner-token-mismatch"
    }

    package let reason: Reason
    /// One plain English sentence for an admin.
    package let detail: String
    /// RFC 6901 pointer of the member that does not fit, such as `/appData/bundleId`. Inside an inner token it goes on behind
    /// the token's own member: `/appData/signedAppTransactionInfo/receiptType`.
    package let field: String?
    /// What would have fitted; `nil` where there is no one value. Several are separated by `, `.
    package let expected: String?
    /// What stands there; `nil` where it is absent or has no short form.
    package let seen: String?
    /// Why the inner token was refused, for `innerTokenRefused` only.
    package let inner: TokenRefusal?

    package init(
        _ reason: Reason, _ detail: String, field: String? = nil, expected: String? = nil, seen: String? = nil,
        inner: TokenRefusal? = nil
    ) {
        self.reason = reason
        self.detail = detail
        self.field = field
        self.expected = expected
        self.seen = seen
        self.inner = inner
    }
}
