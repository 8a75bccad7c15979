/// Whether a member may be left out.
@usableFromInline
package enum Presence: Sendable {
    /// Leaving it out is an error, and so is `null`.
    case required
    /// May be left out; `null` says the same.
    case optional
}
