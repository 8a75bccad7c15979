package import Consent
package import JSON

extension JSONWriter {
    /// A guardian's link to a person.
    package mutating func guardianLink(person: CallerID?, guardian: CallerID, createdAt: Instant) {
        beginObject()
        key("person")
        callerID(person)
        key("guardian")
        callerID(guardian)
        key("createdAt")
        moment(createdAt)
        endObject()
    }

    /// A link that was taken away, with the pending questions on which the guardian's approval counts no more.
    package mutating func guardianUnlink(person: CallerID?, guardian: CallerID, voided: [Identifier]) {
        beginObject()
        key("person")
        callerID(person)
        key("guardian")
        callerID(guardian)
        key("voidedApprovals")
        beginArray()
        for question in voided { identifier(question) }
        endArray()
        endObject()
    }

    /// An adult's confirmation of having seen a change.
    package mutating func acknowledgment(person: CallerID?, change: CallerID, at: Instant) {
        beginObject()
        key("person")
        callerID(person)
        key("change")
        callerID(change)
        key("acknowledgedAt")
        moment(at)
        endObject()
    }
}
