/// Where an app's persons would stand to a change that is not registered yet.
package struct ChangePreview: Sendable, Hashable {
    /// What the change would mean for somebody.
    package enum Effect: String, Sendable, Hashable, CaseIterable {
        /// A guardian would have to be asked.
        case askGuardian
        /// The person would have to acknowledge it.
        case acknowledge
        /// The person would be blocked, for a reason that no answer changes.
        case blocked
        /// They first got the app with it.
        case exempt
        /// Nothing is asked of anybody.
        case clear
    }

    /// How many persons it would mean what; every effect is there.
    package private(set) var counts: [Effect: Int]

    package var persons: Int { counts.values.reduce(0, +) }

    /// Nobody yet.
    package init() {
        counts = Dictionary(uniqueKeysWithValues: Effect.allCases.map { ($0, 0) })
    }

    /// Adds so many persons of whom the same is known. By their facts alone: that somebody's consent as a whole is
    /// rescinded, and so blocks them before and after, is not looked at.
    package mutating func add(_ facts: PersonFacts, count: Int, change: ChangeInEffect, policy: Policy) {
        counts[Self.effect(on: facts, of: change, policy: policy), default: 0] += count
    }

    private static func effect(on facts: PersonFacts, of change: ChangeInEffect, policy: Policy) -> Effect {
        if Exemption(facts.original, policy: policy).covers(change) { return .exempt }
        switch Routing(facts, policy: policy) {
        case .clear: return .clear
        case .guardian: return .askGuardian
        case .acknowledgment: return .acknowledge
        case .blocked: return .blocked
        }
    }
}
