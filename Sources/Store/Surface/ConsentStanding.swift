package import Consent

/// How consent for a person stands after a rescission or a return.
package struct ConsentStanding: Sendable {
    package let person: Person
    package let scope: RescissionScope
    /// The questions that the last rescission of that scope ended, in id order.
    package let ended: [Identifier]
    package let at: Instant

    /// `known`: the person's rescissions, as they were learnt of.
    package init(_ person: Person, _ scope: RescissionScope, _ known: [Rescission], at: Instant) {
        self.person = person
        self.scope = scope
        self.ended = known.last { $0.scope == scope }?.ended ?? []
        self.at = at
    }
}
