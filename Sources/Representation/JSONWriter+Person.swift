package import Consent
package import JSON

extension JSONWriter {
    /// A person with what is known of them.
    package mutating func person(_ person: Person) {
        self.person(
            id: person.id, ref: person.ref, facts: person.facts, rescindedAt: person.rescindedAt,
            revision: person.revision, createdAt: person.createdAt, updatedAt: person.updatedAt)
    }

    /// A person from its parts, as the event log holds them; `id` is `null` once the person was erased.
    package mutating func person(
        id: CallerID?, ref: Identifier?, facts: PersonFacts, rescindedAt: Instant?, revision: Int, createdAt: Instant,
        updatedAt: Instant
    ) {
        beginObject()
        key("id")
        callerID(id)
        key("personRef")
        identifier(ref)
        key("ageRange")
        ageRange(facts.ageRange)
        key("requiredRegulatoryFeatures")
        duties(facts.duties)
        key("original")
        if let original = facts.original { self.original(original) } else { null() }
        key("region")
        string(facts.region)
        key("rescindedAt")
        moment(rescindedAt)
        key("revision")
        integer(revision)
        key("createdAt")
        moment(createdAt)
        key("updatedAt")
        moment(updatedAt)
        endObject()
    }

    private mutating func ageRange(_ range: AgeRange) {
        switch range {
        case .notTold: null()
        case .declined: string("declined")
        case .range(let lower, let upper, let declaration):
            beginObject()
            key("lowerBound")
            integer(lower)
            key("upperBound")
            integer(upper)
            key("declaration")
            string(declaration)
            endObject()
        }
    }

    private mutating func duties(_ duties: RegulatoryFeatures) {
        switch duties {
        case .notTold: null()
        case .unavailable: string("unavailable")
        case .unsupported: string("unsupported")
        case .features(let names):
            beginArray()
            for name in names { string(name) }
            endArray()
        }
    }

    private mutating func original(_ original: OriginalVersion) {
        beginObject()
        key("value")
        string(original.value)
        key("kind")
        string(original.kind.rawValue)
        key("environment")
        string(original.environment.rawValue)
        endObject()
    }
}
