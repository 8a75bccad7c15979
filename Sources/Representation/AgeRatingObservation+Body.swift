package import Consent
import JSON

extension AgeRatingObservation {
    /// Reads the body of `POST /v1/age-ratings`; a missing code is none.
    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            let code = body.integer("ageRatingCode", .optional, in: AgeRatingObservation.codes)
            let storefront = body.string(
                "storefront", mustBe: "must be the three capital letters of a storefront, such as \"AUS\""
            ) { Storefront($0) }
            let environment = body.enumeration("environment", of: OriginalVersion.Environment.self)
            let observedAt = body.timestamp("observedAt", .optional)
            guard let storefront, let environment else { return nil }
            return AgeRatingObservation(
                scope: AgeRatingScope(storefront: storefront, environment: environment), code: code,
                observedAt: observedAt.map { Instant(microseconds: $0) })
        }
    }
}
