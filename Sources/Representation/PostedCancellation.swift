import JSON

/// The body of `POST /v1/questions/{id}/cancellation`.
package struct PostedCancellation: Sendable, Equatable {
    /// At most 500 bytes.
    package let reason: String?

    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { PostedCancellation(reason: $0.reason()) }
    }

    private init(reason: String?) {
        self.reason = reason
    }
}
