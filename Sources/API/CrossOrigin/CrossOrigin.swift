import HTTPServer

/// The headers of the CORS protocol (Fetch §3.2): exact origins, no cookies, errors as readable as anything else.
enum CrossOrigin {
    private static let exposed =
        "Allow, ETag, Idempotency-Replayed, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, "
        + "WWW-Authenticate, X-Request-Id"
    private static let requestHeaders =
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, X-Request-Id"

    /// Says whether a page of this origin may read the response; nil where the request named none.
    static func allow(_ origin: ArraySlice<UInt8>?, in response: inout Response, when isAllowed: Bool) {
        response.headers.append(HeaderField("Vary", "Origin"))
        guard let origin, isAllowed else { return }
        response.headers.append(
            HeaderField("Access-Control-Allow-Origin", String(decoding: origin, as: UTF8.self)))
        response.headers.append(HeaderField("Access-Control-Expose-Headers", exposed))
    }

    /// Adds what a preflight asks for, if its origin was let in.
    static func answerPreflight(_ headers: Headers, methods: String, in response: inout Response) {
        guard headers.bytes(of: "Access-Control-Request-Method") != nil,
            response.headers.contains(where: { $0.name == "Access-Control-Allow-Origin" })
        else { return }
        response.headers += [
            HeaderField("Access-Control-Allow-Methods", methods),
            HeaderField("Access-Control-Allow-Headers", requestHeaders),
            HeaderField("Access-Control-Max-Age", "600"),
        ]
    }
}
