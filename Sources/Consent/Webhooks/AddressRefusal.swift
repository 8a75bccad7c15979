/// Why nothing is sent to an address.
package enum AddressRefusal: Sendable, Hashable {
    /// A special-purpose address that the operator has not allowed; what it is for.
    case special(purpose: String)
    /// Plain http, which serves only where the operator has allowed the address.
    case plain
}

extension AddressRefusal: CustomStringConvertible {
    /// A clause for whoever registered the URL: what is wrong, and what allows it.
    package var description: String {
        switch self {
        case .special(let purpose):
            "is blocked: its address is not a public one (\(purpose)); the operator's setting webhook-allow opens a range"
        case .plain: "is blocked: plain http serves only addresses in a range of the operator's setting webhook-allow"
        }
    }
}
