import JSON

/// Members by which RFC 7519 restricts who may use a token and when. The store's payloads have none; a payload with one means
/// something that is not understood here.
enum Restriction: String, CaseIterable, Sendable {
    case exp, nbf, iat, aud, sub, jti

    /// The first that stands in a payload.
    static func first(in payload: ObjectReader) -> Restriction? {
        let names: KeyValuePairs<Restriction, StaticString> = [
            .exp: "exp", .nbf: "nbf", .iat: "iat", .aud: "aud", .sub: "sub", .jti: "jti",
        ]
        return names.first { payload.kind($0.value) != nil }?.key
    }

    var objection: Objection {
        Objection(
            .fieldInvalid, "The payload restricts its use by \(rawValue), which is not understood.",
            field: "/\(rawValue)")
    }
}
