package import Consent
package import JSON

extension JSONWriter {
    /// One guardian's answer as it was recorded.
    package mutating func answer(_ answer: GuardianAnswer) {
        beginObject()
        key("guardian")
        callerID(answer.guardian)
        key("answer")
        string(answer.kind.rawValue)
        key("reason")
        string(answer.reason)
        key("verification")
        if let verification = answer.verification {
            beginObject()
            key("method")
            string(verification.method)
            key("reference")
            string(verification.reference)
            endObject()
        } else {
            null()
        }
        key("answeredAt")
        moment(answer.at)
        key("revision")
        integer(answer.revision)
        key("voidedAt")
        moment(answer.voidedAt)
        endObject()
    }
}
