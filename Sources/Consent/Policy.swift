/// An app's choices where the domain leaves one; each default fails closed.
package struct Policy: Sendable, Hashable {
    package enum UnconfirmedAdult: String, Sendable, CaseIterable { case block, acknowledge }

    /// Life of a question whose caller gives no expiration; 1 to 31,536,000 seconds (365 days), 7 days by default.
    package var defaultExpirationSeconds: Int
    /// How long after a guardian's own denial or revocation the same thing may be asked again; 0 to 365 days, one
    /// day by default.
    package var askAgainSeconds: Int
    /// How many guardians must approve when the caller does not say; 1 to 10, 1 by default.
    package var defaultQuorum: Int
    /// Whether only linked guardians may answer, also where a person never had links; false by default.
    package var requireGuardianLinks: Bool
    /// Whether an adult whose age is not confirmed may acknowledge; `block` by default.
    package var adultNotConfirmed: UnconfirmedAdult

    package static let longestExpirationSeconds = 31_536_000
    package static let largestQuorum = 10

    package init(
        defaultExpirationSeconds: Int = 604_800, askAgainSeconds: Int = 86_400, defaultQuorum: Int = 1,
        requireGuardianLinks: Bool = false, adultNotConfirmed: UnconfirmedAdult = .block
    ) {
        self.defaultExpirationSeconds = defaultExpirationSeconds
        self.askAgainSeconds = askAgainSeconds
        self.defaultQuorum = defaultQuorum
        self.requireGuardianLinks = requireGuardianLinks
        self.adultNotConfirmed = adultNotConfirmed
    }
}
