import HTTPServer
import JSON
import Representation
import Store

/// Why a request gets no other answer; what handlers throw.
struct Problem: Error, Sendable {
    let type: ProblemType
    /// One sentence about this very case; free of what came in the request.
    var detail: String?
    var errors: [FieldError] = []
    /// The resource as it stands, one JSON value.
    var current: [UInt8]?
    /// The query parameter to blame.
    var parameter: String?
    /// The header to blame.
    var header: String?
    /// A stable name of why, where one type has several.
    var reason: String?
    /// The limits that are used up.
    var violatedPolicies: [RatePolicy] = []
    /// `Retry-After`, in whole seconds.
    var retryAfter: Int?
    /// The failure behind it, for the log.
    var cause: StoreFailure?
    /// Headers this very problem has, such as `Allow`.
    var extraHeaders: [HeaderField] = []

    init(
        _ type: ProblemType, _ detail: String? = nil, errors: [FieldError] = [], current: [UInt8]? = nil,
        parameter: String? = nil, header: String? = nil, retryAfter: Int? = nil
    ) {
        self.type = type
        self.detail = detail
        self.errors = errors
        self.current = current
        self.parameter = parameter
        self.header = header
        self.retryAfter = retryAfter
    }

    /// A query parameter that cannot be taken.
    static func parameter(_ name: String, _ detail: String) -> Problem {
        Problem(.invalidParameter, detail, parameter: name)
    }

    /// A cursor that this list did not give, or not in this order.
    static func foreignCursor() -> Problem {
        .parameter("cursor", "The value is not a cursor of this list in this order.")
    }

    /// A header that cannot be taken.
    static func header(_ name: String, _ detail: String) -> Problem {
        Problem(.invalidHeader, detail, header: name)
    }

    /// The document as it stands alone or within an item of a reply.
    func document(requestID: String?) -> ProblemDocument {
        ProblemDocument(
            slug: type.slug, title: type.title, status: type.status, detail: detail, reason: reason, errors: errors,
            current: current, parameter: parameter, header: header,
            violatedPolicies: violatedPolicies.map(\.rawValue), requestID: requestID)
    }

    func response(requestID: String?) -> Response {
        var writer = JSONWriter(capacity: 512 + (current?.count ?? 0))
        writer.problem(document(requestID: requestID))
        var headers = [
            HeaderField("Content-Type", "application/problem+json"), HeaderField("Cache-Control", "no-store"),
            HeaderField("X-Content-Type-Options", "nosniff"),
        ]
        if let retryAfter { headers.append(HeaderField("Retry-After", String(retryAfter))) }
        headers += extraHeaders
        return Response(status: type.status, headers: headers, body: writer.finish())
    }
}
