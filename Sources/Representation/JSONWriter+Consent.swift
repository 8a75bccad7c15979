package import Consent
package import JSON

/// The domain's scalars as JSON.
extension JSONWriter {
    /// An id of ours, as a lower-case UUID.
    package mutating func identifier(_ id: Identifier) {
        uuid(high: id.high, low: id.low)
    }

    /// An id of ours or `null`.
    package mutating func identifier(_ id: Identifier?) {
        if let id { identifier(id) } else { null() }
    }

    /// An id of the caller's; a string, whatever it looks like.
    package mutating func callerID(_ id: CallerID) {
        string(id.text)
    }

    /// An id of the caller's or `null`.
    package mutating func callerID(_ id: CallerID?) {
        if let id { string(id.text) } else { null() }
    }

    /// A moment in UTC with milliseconds.
    package mutating func moment(_ moment: Instant) {
        timestamp(moment.microseconds)
    }

    /// A moment or `null`.
    package mutating func moment(_ moment: Instant?) {
        timestamp(moment?.microseconds)
    }
}
