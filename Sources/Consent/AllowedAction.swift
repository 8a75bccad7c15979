/// What may still be done about a question; names are the API's.
package enum AllowedAction: String, Sendable, Hashable, CaseIterable {
    case approve, deny, cancel
}
