/// A request as it is known before its body: request line, headers and where it came from.
package final class RequestHead: Sendable {
    package let method: Method
    /// The target exactly as it was sent.
    package let target: String
    /// The path's segments, each percent-decoded once after splitting: `/` is none, `/a//b/` is `a`, empty, `b`, empty.
    /// Empty when the target itself is at fault; the single segment `*` for `OPTIONS *`.
    package let path: [String]
    /// The query's items in the order they were sent, repeated names included.
    package let query: [QueryItem]
    package let headers: Headers
    /// A caller's well-formed `X-Request-Id`, else one made here; sent back with every response.
    package let id: String
    /// The peer's address in numbers, without its port; an IPv4 peer of an IPv6 socket reads as IPv4.
    package let peer: String
    /// Whether the request came over TLS.
    package let secure: Bool

    package init(
        method: Method, target: String, path: [String] = [], query: [QueryItem] = [], headers: Headers = Headers(),
        id: String = "", peer: String = "", secure: Bool = false
    ) {
        self.method = method
        self.target = target
        self.path = path
        self.query = query
        self.headers = headers
        self.id = id
        self.peer = peer
        self.secure = secure
    }
}
