import Crypto

/// A leaf that a trusted root vouches for: its key, and from when until when each certificate on the way is valid.
struct VerifiedChain: Sendable {
    let key: ES256Key
    /// Leaf, intermediate, root.
    let links: [(name: String, validity: ClosedRange<Int64>)]

    /// Refuses a moment at which any of the certificates is not valid.
    ///
    /// This is apart from the verification, because a chain is verified once and serves tokens of many dates.
    func check(at moment: Int64) throws(TokenRefusal) {
        for link in links {
            if moment < link.validity.lowerBound {
                throw TokenRefusal(
                    .certificateNotYetValid, "The \(link.name) certificate was not valid yet at the time.")
            }
            if moment >= link.validity.upperBound {
                throw TokenRefusal(.certificateExpired, "The \(link.name) certificate had expired at the time.")
            }
        }
    }
}
