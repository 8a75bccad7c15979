import JSON

/// The body that the App Store sends to `POST /v1/app-store/notifications/{app}`; what else the store may add is passed over.
package struct PostedSignedPayload: Sendable, Equatable {
    /// Not yet verified.
    package let signedPayload: String

    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            body.ignoreOthers()
            return body.string("signedPayload", bytes: 1...Int.max).map { PostedSignedPayload(signedPayload: $0) }
        }
    }

    private init(signedPayload: String) {
        self.signedPayload = signedPayload
    }
}
