package import Consent
package import JSON

extension JSONWriter {
    /// A registered change; `features` is `null` where it covers the whole app.
    package mutating func change(_ change: Change) {
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
        key("descriptions")
        beginObject()
        for description in change.settings.descriptions {
            key(escaping: description.language)
            string(description.text)
        }
        endObject()
        key("revision")
        integer(change.revision)
        key("createdAt")
        moment(change.createdAt)
        key("updatedAt")
        moment(change.updatedAt)
        endObject()
    }
}
