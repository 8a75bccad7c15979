package import Consent
import JSON

/// The body of `POST /v1/apps/{app}/keys`.
package struct PostedKey: Sendable, Equatable {
    /// `service` or `viewer`: an admin's key belongs to no app and is made where the server runs.
    package let role: Role
    /// At most 200 bytes, for people.
    package let label: String

    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            let role = body.enumeration("role", of: ["service": Role.service, "viewer": Role.viewer])
            let label = body.name("label", .optional, bytes: 0...200)
            return role.map { PostedKey(role: $0, label: label ?? "") }
        }
    }

    private init(role: Role, label: String) {
        self.role = role
        self.label = label
    }
}
