/// What a handler answers.
package struct Response: Sendable {
    /// 200 to 599.
    package var status: Int
    /// In the order they are sent. `Date`, `Connection`, `Content-Length`, `Transfer-Encoding` and `X-Request-Id` are the
    /// server's own and left out if they stand here; a header with an empty value is not sent; one that cannot be sent at all turns the answer into a
    /// 500 by `Fault.unusableResponse`.
    package var headers: [HeaderField]
    /// Given also for HEAD and 304, where only its length is sent.
    package var body: [UInt8]
    /// Sent instead of the body, in chunks as it is written, until it ends or the client goes.
    package var stream: BodyStream?
    /// The route's template for logs and metrics; never sent.
    package var route: String?

    package init(
        status: Int, headers: [HeaderField] = [], body: [UInt8] = [], stream: BodyStream? = nil, route: String? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.stream = stream
        self.route = route
    }

    /// Why this cannot be put on the wire, or nil.
    var fault: Fault? {
        guard (200...599).contains(status) else { return .unusableResponse(detail: "the status is not 200 to 599") }
        for field in headers {
            if let detail = field.fault { return .unusableResponse(detail: detail) }
        }
        return nil
    }
}
