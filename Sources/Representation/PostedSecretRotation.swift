import JSON

/// The body of `POST /v1/webhook-endpoints/{endpoint}/secret-rotations`.
package struct PostedSecretRotation: Sendable, Equatable {
    /// How long earlier secrets sign beside the new one: at most a week, a day by default.
    package let overlapSeconds: Int64

    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            PostedSecretRotation(
                overlapSeconds: Int64(body.integer("overlapSeconds", .optional, in: 0...604_800) ?? 86_400))
        }
    }

    private init(overlapSeconds: Int64) {
        self.overlapSeconds = overlapSeconds
    }
}
