/// Where a question stands. `pending`, `denied`, `cancelled` and `expired` are never folded into one another.
package enum QuestionState: String, Sendable, Hashable, CaseIterable {
    case pending, approved, denied, revoked, expired, cancelled
}
