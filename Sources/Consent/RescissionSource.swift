/// Who told of a rescission.
package enum RescissionSource: String, Sendable, Hashable, CaseIterable {
    /// The caller's own service, at the moment it said so.
    case service
}
