/// The names of the limits, as headers, problems and metrics give them; a name means the same for ever.
package enum RatePolicy: String, Sendable, CaseIterable {
    /// Requests of one source address, whoever it says it is.
    case source
    /// Requests with one key.
    case key
    /// Requests with the tokens of one person or guardian of an app.
    case token
    /// What a source sent in a store's name that did not verify.
    case failures
    /// Tickets for streams that a source made up or showed twice.
    case tickets

    /// Its place among all.
    package var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
