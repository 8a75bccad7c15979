package import Consent
package import JSON

/// Questions, the most written bodies by far: straight to bytes, with nothing built in between.
extension JSONWriter {
    /// A question as it reads at `now`; the caller has taken its effective state at that moment already.
    ///
    /// - Parameters:
    ///   - person: the caller's own id; `null` once the person was erased.
    ///   - existing: whether to say that the question stood already; said in the reply to a POST only.
    package mutating func question(
        _ question: Question, app: AppID, person: CallerID?, at now: Instant, existing: Bool = false
    ) {
        beginObject()
        key("id")
        identifier(question.id)
        key("app")
        string(app.text)
        key("person")
        callerID(person)
        key("personRef")
        identifier(question.personRef)
        key("topic")
        topic(question.topic)
        key("description")
        string(question.description)
        key("language")
        string(question.language)
        key("revision")
        integer(question.revision)
        key("state")
        string(question.state.rawValue)
        key("quorum")
        integer(question.quorum)
        key("expirationDate")
        moment(question.expiration)
        key("createdAt")
        moment(question.createdAt)
        key("resolution")
        if let resolution = question.resolution { self.resolution(resolution) } else { null() }
        key("supersededBy")
        identifier(question.supersededBy)
        key("allowedActions")
        beginArray()
        // About an erased person nothing can be done any more: whoever names them is answered 404.
        if person != nil {
            for action in question.allowedActions(at: now) { string(action.rawValue) }
        }
        endArray()
        if existing {
            key("existing")
            bool(true)
        }
        endObject()
    }

    private mutating func topic(_ topic: Topic) {
        beginObject()
        key("kind")
        string(topic.kind.rawValue)
        switch topic {
        case .significantAppUpdate(let change):
            key("change")
            callerID(change)
        case .communication(let handles):
            key("handles")
            beginArray()
            for handle in handles { callerID(handle) }
            endArray()
        case .purchase(let product):
            key("product")
            callerID(product)
        case .custom(let subject, let reusable):
            key("subject")
            callerID(subject)
            key("reusable")
            bool(reusable)
        }
        endObject()
    }

    private mutating func resolution(_ resolution: Resolution) {
        beginObject()
        key("by")
        switch resolution.by {
        case .guardian(let guardian):
            string("guardian")
            key("guardian")
            callerID(guardian)
        case .child: string("child")
        case .silence: string("silence")
        case .rescission: string("rescission")
        case .withdrawal: string("withdrawal")
        case .admin: string("admin")
        }
        key("at")
        moment(resolution.at)
        key("reason")
        string(resolution.reason)
        endObject()
    }
}
