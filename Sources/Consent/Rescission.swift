/// Consent taken back, with what that ended; kept for good.
package struct Rescission: Sendable, Hashable {
    package let personRef: Identifier
    /// 1, 2, 3 … of its person, in the order they were learnt of.
    package let number: Int
    package let scope: RescissionScope
    package let reason: String?
    package let source: RescissionSource
    /// From when on it counts.
    package let effectiveAt: Instant
    /// When it was learnt of; never before that.
    package let receivedAt: Instant
    /// Where it was told by a store's notice, that, and of which of the store's environments.
    package let notice: Notice?
    /// Questions it cancelled or revoked, in id order.
    package let ended: [Identifier]
    /// Questions that it left as they are, but on which approvals given before it count no more; in id order.
    package let voided: [Identifier]
    /// Those of either on which approvals ended that were given after it took effect, but within the margin that two clocks
    /// are allowed; in id order.
    package let withinMargin: [Identifier]
    /// Whether the person was frozen by it: nothing asked, nothing approved.
    package let freezes: Bool
    /// When that freeze ended by a return.
    package var endedAt: Instant?

    /// A store's notice that told of a rescission.
    package struct Notice: Sendable, Hashable {
        package let id: Identifier
        package let environment: OriginalVersion.Environment

        package init(id: Identifier, environment: OriginalVersion.Environment) {
            self.id = id
            self.environment = environment
        }
    }

    /// What a service has to do once a person's consent is taken back; the app's launch is the system's to refuse.
    package enum Duty: String, Sendable, Hashable, CaseIterable {
        /// Keep the account's state as it is: the household may come back.
        case freezeState
        /// Look at the person's subscriptions with the store.
        case reconcileSubscriptions
        /// Send nothing to the person's devices.
        case stopPushing
    }

    /// What is to be done now: nothing where nobody was frozen.
    package var checklist: [Duty] { freezes ? Duty.allCases : [] }

    package init(
        personRef: Identifier, number: Int, scope: RescissionScope, reason: String?, source: RescissionSource,
        effectiveAt: Instant, receivedAt: Instant, notice: Notice? = nil, ended: [Identifier], voided: [Identifier],
        withinMargin: [Identifier] = [], freezes: Bool, endedAt: Instant? = nil
    ) {
        self.personRef = personRef
        self.number = number
        self.scope = scope
        self.reason = reason
        self.source = source
        self.effectiveAt = effectiveAt
        self.receivedAt = receivedAt
        self.notice = notice
        self.ended = ended
        self.voided = voided
        self.withinMargin = withinMargin
        self.freezes = freezes
        self.endedAt = endedAt
    }
}
