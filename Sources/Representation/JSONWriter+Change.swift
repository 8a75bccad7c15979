package import Consent
package import JSON

extension JSONWriter {
    /// A registered change; `features` is `null` where it covers the whole app, `effectiveFrom` where it does at once.
    ///
    /// - Parameter description: the one text for the reader, beside all of them; the member is left out without one.
    package mutating func change(_ change: Change, description: LocalizedText? = nil) {
        beginObject()
        key("id")
        callerID(change.id)
        key("kind")
        string(change.settings.kind.rawValue)
        key("introducedIn")
        beginObject()
        key("version")
        string(change.settings.version)
        key("build")
        string(change.settings.build)
        endObject()
        key("features")
        if let features = change.settings.features {
            beginArray()
            for feature in features { string(feature) }
            endArray()
        } else {
            null()
        }
        if let description {
            key("description")
            string(description.text)
        }
        key("descriptions")
        beginObject()
        for description in change.settings.descriptions {
            key(escaping: description.language)
            string(description.text)
        }
        endObject()
        key("effectiveFrom")
        moment(change.settings.effectiveFrom)
        key("withdrawnAt")
        moment(change.withdrawal?.at)
        key("withdrawalReason")
        string(change.withdrawal?.reason)
        key("revision")
        integer(change.revision)
        key("createdAt")
        moment(change.createdAt)
        key("updatedAt")
        moment(change.updatedAt)
        endObject()
    }
}
