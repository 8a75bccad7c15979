/// A duty that a device can name in `requiredRegulatoryFeatures`; the raw values are the vendor's names.
package enum Duty: String, Sendable, Hashable, CaseIterable {
    case declaredAgeRangeRequired
    case significantAppChangeRequiresAdultNotification
    case significantAppChangeRequiresParentalConsent
}
