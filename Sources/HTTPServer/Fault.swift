/// What can be wrong with an exchange before or beside a handler's answer; a closed list, each with what a problem document needs.
package enum Fault: Error, Sendable, Hashable {
    /// The method is not a token, or the request line holds what it must not.
    case badRequestLine(detail: String)
    /// The target's path or query cannot be read: a bad escape, U+0000, a control byte, not UTF-8.
    case badTarget(detail: String)
    /// A header cannot be accepted; `name` as it was sent, made printable.
    case badHeader(name: String, detail: String)
    /// `Content-Length` and `Transfer-Encoding` together, the mark of request smuggling.
    case bothLengths
    case targetTooLong(limit: Int)
    case headTooLarge(limit: Int)
    case bodyTooLarge(limit: Int)
    /// The head did not arrive in time.
    case headTimeout
    /// The body did not arrive in time.
    case bodyTimeout
    /// As many connections as the server takes are open.
    case overloaded
    /// The server is stopping and its grace is over.
    case draining
    /// The request's total time passed before its handler answered.
    case deadline
    /// The handler's answer cannot be put on the wire; ours to mend, never the caller's.
    case unusableResponse(detail: String)

    /// The status that fits, RFC 9110 and RFC 6585.
    package var status: Int {
        switch self {
        case .badRequestLine, .badTarget, .badHeader, .bothLengths: 400
        case .targetTooLong: 414
        case .headTooLarge: 431
        case .bodyTooLarge: 413
        case .headTimeout, .bodyTimeout: 408
        case .overloaded, .draining, .deadline: 503
        case .unusableResponse: 500
        }
    }

    /// A stable name for metrics.
    package var kind: String {
        switch self {
        case .badRequestLine: "bad_request_line"
        case .badTarget: "bad_target"
        case .badHeader: "bad_header"
        case .bothLengths: "both_lengths"
        case .targetTooLong: "target_too_long"
        case .headTooLarge: "head_too_large"
        case .bodyTooLarge: "body_too_large"
        case .headTimeout: "head_timeout"
        case .bodyTimeout: "body_timeout"
        case .overloaded: "overloaded"
        case .draining: "draining"
        case .deadline: "deadline"
        case .unusableResponse: "unusable_response"
        }
    }
}
