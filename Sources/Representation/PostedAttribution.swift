package import Consent
import JSON

/// The body of `POST /v1/store-notifications/{notification}/attribution`.
package struct PostedAttribution: Sendable, Equatable {
    package let person: CallerID

    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            body.callerID("person").map { PostedAttribution(person: $0) }
        }
    }

    private init(person: CallerID) {
        self.person = person
    }
}
