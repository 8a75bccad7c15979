package import Consent
import JSON

/// The body of `POST /v1/apps/{app}/keys`.
package struct PostedKey: Sendable, Equatable {
    /// `service` or `viewer`: an admin's key belongs to no app and is made where the server runs.
    package let role: Role
    /// At most 200 bytes, for people.
    package let label: String
    /// Nil: the operator's for all keys.
    package let rateLimit: RateLimit?

    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            let role = body.enumeration("role", of: ["service": Role.service, "viewer": Role.viewer])
            let label = body.name("label", .optional, bytes: 0...200)
            let rateLimit = body.object("rateLimit", .optional) { limit in
                let requests = limit.integer("requests", in: RateLimit.requestRange)
                let seconds = limit.integer("seconds", in: RateLimit.secondRange)
                return requests.flatMap { requests in
                    seconds.flatMap { RateLimit(requests: requests, seconds: $0) }
                }
            }
            return role.map { PostedKey(role: $0, label: label ?? "", rateLimit: rateLimit) }
        }
    }

    private init(role: Role, label: String, rateLimit: RateLimit?) {
        self.role = role
        self.label = label
        self.rateLimit = rateLimit
    }
}
