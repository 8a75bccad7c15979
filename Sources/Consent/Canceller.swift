/// Who takes a pending question back.
package enum Canceller: String, Sendable, Hashable, CaseIterable {
    case child, admin
}
