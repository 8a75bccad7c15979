package import Consent
package import JSON

extension JSONWriter {
    /// What a person may do.
    ///
    /// - Parameters:
    ///   - person: whom it is about, where more than one is told of.
    ///   - platform: where they are, when the caller said so; adds `remedy`.
    package mutating func access(_ decision: AccessDecision, person: CallerID? = nil, on platform: Platform? = nil) {
        beginObject()
        if let person {
            key("person")
            callerID(person)
        }
        key("phase")
        string(decision.phase.rawValue)
        key("reason")
        string(decision.reason?.rawValue)
        key("blocked")
        blocked(decision.blocked)
        key("changes")
        beginArray()
        for change in decision.changes { changeAccess(change) }
        endArray()
        key("validUntil")
        moment(decision.validUntil)
        if let platform {
            key("remedy")
            string(platform.remedy(for: decision.phase)?.rawValue)
        }
        endObject()
    }

    private mutating func blocked(_ blocked: AccessDecision.Blocked) {
        beginObject()
        key("app")
        let features: [String]
        switch blocked {
        case .app:
            bool(true)
            features = []
        case .features(let names):
            bool(false)
            features = names
        }
        key("features")
        beginArray()
        for feature in features { string(feature) }
        endArray()
        endObject()
    }

    private mutating func changeAccess(_ access: ChangeAccess) {
        beginObject()
        key("change")
        callerID(access.change)
        key("status")
        string(access.status.rawValue)
        key("question")
        identifier(access.question)
        endObject()
    }
}
