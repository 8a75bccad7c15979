/// A request method; the ones the server knows by name, anything else as it was written.
package enum Method: Sendable, Hashable {
    case get, head, post, put, delete, options
    case other(String)

    /// The method as it stands on the request line. Methods are case-sensitive (RFC 9110 §9.1).
    package init(_ text: String) {
        switch text {
        case "GET": self = .get
        case "HEAD": self = .head
        case "POST": self = .post
        case "PUT": self = .put
        case "DELETE": self = .delete
        case "OPTIONS": self = .options
        default: self = .other(text)
        }
    }

    package var text: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .other(let text): text
        }
    }
}
