/// By whom or what a question left `pending`, when, and why.
package struct Resolution: Sendable, Hashable {
    package enum Resolver: Sendable, Hashable {
        case guardian(CallerID)
        case child
        /// The expiration passed; nobody said anything.
        case silence
        case rescission
        /// The change was withdrawn.
        case withdrawal
        case admin
    }

    package let by: Resolver
    package let at: Instant
    package let reason: String?

    package init(by: Resolver, at: Instant, reason: String?) {
        self.by = by
        self.at = at
        self.reason = reason
    }
}
