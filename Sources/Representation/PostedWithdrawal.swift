import JSON

/// The body of `POST /v1/changes/{change}/withdrawal`.
package struct PostedWithdrawal: Sendable, Equatable {
    /// At most 500 bytes.
    package let reason: String?

    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { PostedWithdrawal(reason: $0.reason()) }
    }

    private init(reason: String?) {
        self.reason = reason
    }
}
