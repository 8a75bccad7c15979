/// What a key's holder may do.
package enum Role: String, Sendable, Hashable, CaseIterable {
    /// All apps.
    case admin
    /// One app, reads and writes.
    case service
    /// One app, reads.
    case viewer
}
