/// What a person may do now, and why.
package struct AccessDecision: Sendable, Hashable {
    /// Least strict first: of several open changes the strictest decides.
    package enum Phase: String, Sendable, Hashable, CaseIterable, Comparable {
        /// Nothing keeps the person from anything.
        case clear
        /// The person has to acknowledge a change.
        case acknowledge
        /// A guardian was asked and has not decided.
        case awaitingGuardian
        /// A guardian has to be asked.
        case askGuardian
        /// Nothing that the person or an answer could do now; `reason` tells why.
        case blocked

        private var strictness: Int {
            switch self {
            case .clear: 0
            case .acknowledge: 1
            case .awaitingGuardian: 2
            case .askGuardian: 3
            case .blocked: 4
            }
        }

        package static func < (left: Phase, right: Phase) -> Bool {
            left.strictness < right.strictness
        }
    }

    /// What the person must be kept from: all of it, or the features named.
    package enum Blocked: Sendable, Hashable {
        case app
        /// In byte order, without repeats; none in `clear`.
        case features([String])
    }

    package let phase: Phase
    /// Set exactly in `blocked`.
    package let reason: AccessReason?
    package let blocked: Blocked
    /// Every change in effect, in the order they were given.
    package let changes: [ChangeAccess]
    /// When the decision changes by time alone, if nothing happens before: the next expiration of a question that it shows
    /// as pending, or the moment the next change takes effect. Nil where time changes nothing.
    package let validUntil: Instant?
    /// Whether the device was too old to know of duties; operators want to know how many such people there are.
    package let isUnsupported: Bool

    package init(
        phase: Phase, reason: AccessReason?, blocked: Blocked, changes: [ChangeAccess], validUntil: Instant?,
        isUnsupported: Bool = false
    ) {
        self.phase = phase
        self.reason = reason
        self.blocked = blocked
        self.changes = changes
        self.validUntil = validUntil
        self.isUnsupported = isUnsupported
    }

    /// About somebody the app never told of: nothing is known of them, so they are kept from all of it.
    package static let unknownPerson = AccessDecision(
        phase: .blocked, reason: .ageUnknown, blocked: .app, changes: [], validUntil: nil)
}
