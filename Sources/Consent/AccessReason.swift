/// Why access is blocked; where guardians revoked one change and denied another, the revocation is told.
package enum AccessReason: String, Sendable, Hashable, CaseIterable {
    /// Consent to use the app at all was taken back.
    case consentRescinded
    /// Whether duties apply could not be found out, or nobody told.
    case featuresUnavailable
    /// Among the duties is one that nobody knows.
    case featuresUnknown
    /// The device is too old to know of duties, and the policy does not let that pass.
    case featuresUnsupported
    /// The person did not want to share an age range.
    case ageRangeDeclined
    /// The age range is not known, or leaves minor and adult both possible.
    case ageUnknown
    /// An adult by a declaration that does not confirm it.
    case adultNotConfirmed
    /// A guardian took an approval back.
    case guardianRevoked
    /// A guardian said no.
    case guardianDenied
}
