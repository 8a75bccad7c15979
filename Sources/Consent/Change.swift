/// A registered significant change of an app, as stored.
package struct Change: Sendable, Hashable {
    package let id: CallerID
    package var settings: ChangeSettings
    package var revision: Int
    package let createdAt: Instant
    package var updatedAt: Instant
    /// Set once, for good: from then on nothing is asked about it, and it concerns nobody any more.
    package var withdrawal: Withdrawal?

    /// When a change was taken back, and why.
    package struct Withdrawal: Sendable, Hashable {
        package let at: Instant
        /// At most 500 bytes.
        package let reason: String?

        package init(at: Instant, reason: String?) {
            self.at = at
            self.reason = reason
        }
    }

    package init(
        id: CallerID, settings: ChangeSettings, revision: Int, createdAt: Instant, updatedAt: Instant,
        withdrawal: Withdrawal? = nil
    ) {
        self.id = id
        self.settings = settings
        self.revision = revision
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.withdrawal = withdrawal
    }
}

extension Change {
    /// Whether the change concerns anybody at a moment: it is not withdrawn, and its `effectiveFrom`, if it has one, has
    /// come; at exactly that moment it has.
    package func isInEffect(at now: Instant) -> Bool {
        withdrawal == nil && (settings.effectiveFrom.map { $0 <= now } ?? true)
    }

    /// The change taken back; nil where it was already.
    ///
    /// A moment before the change's last one counts as that, so that a clock set back puts nothing out of order.
    package func withdrawn(reason: String?, at now: Instant) -> Change? {
        guard withdrawal == nil else { return nil }
        var next = self
        next.revision += 1
        next.updatedAt = max(now, updatedAt)
        next.withdrawal = Withdrawal(at: next.updatedAt, reason: reason)
        return next
    }
}
