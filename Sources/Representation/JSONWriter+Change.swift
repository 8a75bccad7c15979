package import Consent
package import JSON

extension JSONWriter {
    /// A registered change; `features` is `null` where it covers the whole app, `effectiveFrom` where it does at once.
    ///
    /// - Parameters:
    ///   - description: the one text for the reader, beside all of them; the member is left out without one.
    ///   - warnings: what is wrong with the descriptions; likewise left out.
    package mutating func change(
        _ change: Change, description: LocalizedText? = nil, warnings: [DescriptionWarning]? = nil
    ) {
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
        if let warnings {
            key("warnings")
            self.warnings(warnings)
        }
        endObject()
    }

    mutating func warnings(_ warnings: [DescriptionWarning]) {
        beginArray()
        for warning in warnings { self.warning(warning) }
        endArray()
    }

    private mutating func warning(_ warning: DescriptionWarning) {
        beginObject()
        key("pointer")
        // A language tag holds nothing that RFC 6901 would have escaped.
        string("/descriptions/" + warning.language)
        key("detail")
        switch warning.fault {
        case .saysNothing: string("should say what changes: this fits every release")
        case .repeatsName: string("should say what changes: this only repeats a name")
        case .tooShort: string("should say what changes: this is too short to tell guardians what they are asked about")
        }
        endObject()
    }
}
