/// The device's `requiredRegulatoryFeatures`: which duties apply to a person.
package enum RegulatoryFeatures: Sendable, Hashable {
    case notTold
    /// Asking failed.
    case unavailable
    /// The device is too old to know.
    case unsupported
    /// As they came, unknown names included; sorted, without repeats.
    case features([String])
}
