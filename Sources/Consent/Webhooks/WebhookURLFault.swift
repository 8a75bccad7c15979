/// Why a text is no URL that webhooks can be sent to.
package enum WebhookURLFault: Error, Sendable, Hashable, CaseIterable {
    case tooLong
    case scheme
    case credentials
    case host
    /// An IP address in another spelling than its usual one.
    case address
    case port
    case target
    case fragment
}

extension WebhookURLFault: CustomStringConvertible {
    /// A clause for whoever wrote the URL; it repeats nothing of it.
    package var description: String {
        switch self {
        case .tooLong: "must be at most \(WebhookURL.longest) bytes"
        case .scheme: "must begin with https://"
        case .credentials: "must not hold a user name or a password"
        case .host: "must name a host in ASCII, international names as xn-- labels, without a dot at the end"
        case .address: "must write an IP address in its usual form, such as 198.51.100.7 or [2001:db8::7]"
        case .port: "must have a port from 1 to 65535, or none"
        case .target: "must encode what RFC 3986 does not let stand in a path or a query"
        case .fragment: "must not have a fragment"
        }
    }
}
