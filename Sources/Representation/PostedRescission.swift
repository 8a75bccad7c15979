package import Consent
import JSON

/// The body of `POST /v1/persons/{person}/rescission`.
package struct PostedRescission: Sendable, Equatable {
    package let scope: RescissionScope
    /// At most 500 bytes.
    package let reason: String?

    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            let kind = body.enumeration("scope", of: RescissionScope.Kind.self)
            let change = body.callerID("change", .optional)
            let reason = body.reason()
            switch kind {
            case nil: return nil
            case .person:
                if !body.isMissing("change") { body.refuse("change", "must be absent: the scope is the person") }
                return PostedRescission(scope: .person, reason: reason)
            case .change:
                if body.isMissing("change") { body.refuse("change", "must be the change that the scope means") }
                guard let change else { return nil }
                return PostedRescission(scope: .change(change), reason: reason)
            }
        }
    }

    private init(scope: RescissionScope, reason: String?) {
        self.scope = scope
        self.reason = reason
    }
}
