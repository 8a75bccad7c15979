/// Why a server does not start.
package enum ServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A setting contradicts another or the system; says which.
    case configuration(String)
    /// The address cannot be resolved or bound; `code` is the system's errno.
    case address(String, code: Int32)
    /// The certificate, key or priorities were refused; never shows the key.
    case tls(String)
    /// libmicrohttpd or the system would not start an event loop.
    case eventLoop(String)
    /// `start()` was called before.
    case startedBefore

    package var description: String {
        switch self {
        case .configuration(let detail): "the HTTP server's settings do not fit: \(detail)"
        case .address(let address, let code): "cannot listen on \(address) (errno \(code))"
        case .tls(let detail): "TLS cannot be set up: \(detail)"
        case .eventLoop(let detail): "an HTTP event loop did not start: \(detail)"
        case .startedBefore: "the HTTP server was started before"
        }
    }
}
