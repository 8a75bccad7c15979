package import Consent
package import JSON

extension JSONWriter {
    /// How consent for a person stands after a rescission, with what the last one of that scope ended.
    package mutating func rescindedStanding(_ person: Person, scope: RescissionScope, ended: [Identifier]) {
        beginObject()
        standing(of: person)
        self.scope(scope)
        questions("ended", ended)
        endObject()
    }

    /// How consent for a person stands after a return, with what the rescission before it ended.
    package mutating func reinstatedStanding(_ person: Person, ended: [Identifier]) {
        beginObject()
        standing(of: person)
        questions("ended", ended)
        endObject()
    }

    /// A rescission as it was learnt of.
    package mutating func rescission(_ rescission: Rescission, person: CallerID?) {
        beginObject()
        key("person")
        callerID(person)
        scope(rescission.scope)
        key("reason")
        string(rescission.reason)
        key("source")
        string(rescission.source.rawValue)
        key("effectiveAt")
        moment(rescission.effectiveAt)
        key("receivedAt")
        moment(rescission.receivedAt)
        key("freezes")
        bool(rescission.freezes)
        questions("ended", rescission.ended)
        questions("voidedApprovals", rescission.voided)
        questions("withinMargin", rescission.withinMargin)
        key("checklist")
        beginArray()
        for duty in rescission.checklist { string(duty.rawValue) }
        endArray()
        key("notification")
        identifier(rescission.notice?.id)
        key("environment")
        string(rescission.notice?.environment.rawValue)
        key("endedAt")
        moment(rescission.endedAt)
        endObject()
    }

    /// A return, with what stays ended after it.
    package mutating func reinstatement(person: CallerID?, ended: [Identifier], at: Instant) {
        beginObject()
        key("person")
        callerID(person)
        key("reinstatedAt")
        moment(at)
        questions("ended", ended)
        endObject()
    }

    /// What is told of an erased person: our own name for them.
    package mutating func erasure(personRef: Identifier?) {
        beginObject()
        key("personRef")
        identifier(personRef)
        endObject()
    }

    private mutating func standing(of person: Person) {
        key("person")
        callerID(person.id)
        key("personRef")
        identifier(person.ref)
        key("rescindedAt")
        moment(person.rescindedAt)
    }

    private mutating func scope(_ scope: RescissionScope) {
        key("scope")
        string(scope.kind.rawValue)
        key("change")
        callerID(scope.change)
    }

    private mutating func questions(_ name: StaticString, _ ids: [Identifier]) {
        key(name)
        beginArray()
        for id in ids { identifier(id) }
        endArray()
    }
}
