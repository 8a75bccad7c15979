/// An adult's confirmation of having seen a change.
package struct Acknowledgment: Sendable, Hashable {
    package let personRef: Identifier
    package let change: CallerID
    package let at: Instant

    package init(personRef: Identifier, change: CallerID, at: Instant) {
        self.personRef = personRef
        self.change = change
        self.at = at
    }
}
